import type { Draft } from "../workspace/draft.ts";
import type { JsonValue } from "../workspace/json.ts";
import { canonicalJson } from "./canonical-json.ts";
import { sha256 } from "./version-id.ts";

/** What the projects are made by, beside what they hold and show, as a hash. */
export function projectRules(draft: Draft, program: string): string {
  const { workspace, models, blocks, features } = draft;
  const { assetBaseUrl = "", fields = [] } = workspace;
  return sha256(json([program, assetBaseUrl, fields, models, blocks, features]));
}

function json(value: unknown): string {
  return canonicalJson(value as JsonValue);
}

/**
 * What the entries of a model are served by, beside what they hold and point at, as a hash: the
 * program, the model, all blocks, the keys of all models, and where assets are. Another hash: all
 * of them are served anew.
 */
export function renderingRules(draft: Draft, program: string): (modelId: string) => string {
  const { workspace, models, blocks } = draft;
  const keys = models.map(({ id, key }) => [id, key]);
  const shared = sha256(json([program, workspace.assetBaseUrl ?? "", blocks, keys]));
  const known = new Map(models.map((model) => [model.id, sha256(shared + json(model))]));
  return (modelId) => known.get(modelId) ?? shared;
}
