import { localizedModels } from "../fields/localized.ts";
import type { Draft } from "../workspace/draft.ts";
import type { JsonValue } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import { canonicalJson } from "./canonical-json.ts";
import { sha256 } from "./version-id.ts";

/** A hash of all that projects depend on, except their own data and what they refer to. */
export function projectRules(
  draft: Draft,
  program: string,
  languages: readonly Language[],
): string {
  const { workspace, models, blocks, features } = draft;
  const { assetBaseUrl = "", assetTexts = false, fields = [] } = workspace;
  return sha256(
    json([program, assetBaseUrl, assetTexts, fields, models, blocks, features, languages]),
  );
}

function json(value: unknown): string {
  return canonicalJson(value as JsonValue);
}

/**
 * A hash of all that the entries of a model depend on, except their own data and what they refer to:
 * the program, the model, all blocks, the keys of all models, the settings of assets, and, if they
 * differ by language, all languages. When it changes, all of them are stale.
 */
export function renderingRules(
  draft: Draft,
  program: string,
  languages: readonly Language[],
): (modelId: string) => string {
  const { workspace, models, blocks } = draft;
  const keys = models.map(({ id, key }) => [id, key]);
  const { assetBaseUrl = "", assetTexts = false } = workspace;
  const shared = sha256(json([program, assetBaseUrl, assetTexts, blocks, keys]));
  const localized = localizedModels(draft);
  const known = new Map(
    models.map((model) => {
      const ofLanguages = localized.has(model.id) ? json(languages) : "";
      return [model.id, sha256(shared + json(model) + ofLanguages)];
    }),
  );
  return (modelId) => known.get(modelId) ?? shared;
}
