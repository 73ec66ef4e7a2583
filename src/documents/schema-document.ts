import type { JsonSchema } from "../fields/field-type.ts";
import { byCodeUnit, type JsonObject } from "../workspace/json.ts";
import type { Feature, Project } from "../workspace/records.ts";
import { canonicalJson, indentedCanonicalJson } from "./canonical-json.ts";
import { collectionsOf, type Pattern } from "./collection-definitions.ts";
import type { Document, Surface } from "./document.ts";
import type { Rendering } from "./rendering.ts";
import { sharedDefinitions } from "./schema-definitions.ts";
import { shownProject } from "./shown-project.ts";
import { withVersionId } from "./version-id.ts";

/** The version of the format of the schema document. */
const SCHEMA_VERSION = 1;

/** `$id` of the schema document of a project. */
function schemaId(projectId: string): string {
  return `svc:project/${projectId}/schema`;
}

/** The schema document, from which types are generated and by which content is validated. */
export function schemaDocument(rendering: Rendering, project: Project, surface: Surface): Document {
  const bytes = indentedCanonicalJson(schemaValue(rendering, project, surface));
  return {
    address: { kind: "schema", projectId: project.id },
    bytes: (versionId) => withVersionId(bytes, versionId),
    size: bytes.length,
    files: [],
    problems: [],
  };
}

/** S1: the schema document as a value. */
export function schemaValue(rendering: Rendering, project: Project, source: Surface): JsonObject {
  const { draft } = rendering;
  const shown = shownProject(rendering, project);
  const values = featureValues(draft.features);
  const patterns = keyPatterns(rendering, project);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: schemaId(project.id),
    "x-svc-schema-version": SCHEMA_VERSION,
    "x-svc-source": source,
    "x-svc-version-id": null,
    "x-svc-step-content-models": stepContentModels(rendering, shown),
    ...(values !== undefined && { "x-svc-feature-values": values }),
    $defs: {
      ...sharedDefinitions(draft),
      featureKeys: keyEnum(draft.features),
      experienceKeys: { ...keyEnum(shown.experiences), ...patterns?.ofExperiences },
      stepKeys: { ...keyEnum(shown.steps), ...patterns?.ofSteps },
    },
  };
}

/** S7: the model of each step that has an existing entry whose model exists. */
function stepContentModels(rendering: Rendering, { steps, locale }: Project): JsonObject {
  return Object.fromEntries(
    steps.flatMap(({ key, layoutContentId }) => {
      const entry = layoutContentId && rendering.find(layoutContentId, locale);
      const model = entry ? rendering.lookup.modelKeyOf(entry) : undefined;
      return model === undefined ? [] : [[key, model]];
    }),
  );
}

/** S6. */
function keyEnum(records: readonly { readonly key: string }[]): JsonSchema {
  if (records.length === 0) return { type: "string", not: {} };
  return { type: "string", enum: records.map(({ key }) => key).sort() };
}

/** S12: the patterns of the project's collections, each once; undefined: it has none. */
function keyPatterns({ draft }: Rendering, project: Project) {
  const { definitions, byValue } = collectionsOf(draft, project);
  if (definitions.length === 0) return undefined;
  const ofSteps = definitions.map(({ patterns, model }) => {
    return { key: shown(patterns.stepKey), contentModelKey: model.key };
  });
  const pages = [...definitions, ...byValue].flatMap(({ page }) => page ?? []);
  const ofExperiences = [
    ...definitions.flatMap(({ patterns: { id, key }, steps }) =>
      steps.length > 0 ? { id: shown(id), key: shown(key) } : [],
    ),
    ...pages.map(({ id, key }) => ({ id: shown(id, "{page}"), key: shown(key, "{page}") })),
  ];
  return { ofExperiences: listed(ofExperiences), ofSteps: listed(ofSteps) };
}

/** @param page the number of a page */
function shown(pattern: Pattern, page = "*"): string {
  return pattern.filled((place) => (place === "page" ? page : "*")) ?? "";
}

function listed(patterns: readonly JsonObject[]): JsonSchema {
  const byText = new Map(patterns.map((one) => [canonicalJson(one), one]));
  const sorted = [...byText].sort(([a], [b]) => byCodeUnit(a, b));
  return { "x-svc-patterns": sorted.map(([, one]) => one) };
}

type FeatureValues = Readonly<Record<string, readonly (string | false)[]>>;

/**
 * The values that each Text flag can serve, undefined when the workspace has no Text flag.
 *
 * S8: in order of the variants' keys by code unit, each value once. Neither a variant's name nor
 * its row order reaches the document.
 */
function featureValues(features: readonly Feature[]): FeatureValues | undefined {
  const flags = features.filter(({ type }) => type === "text");
  if (flags.length === 0) return undefined;
  return Object.fromEntries(
    flags.map(({ key, variants = [] }) => {
      const sorted = [...variants].sort((a, b) => byCodeUnit(a.key, b.key));
      const values = sorted.map((variant) => (variant.value === false ? false : variant.key));
      return [key, [...new Set(values)]];
    }),
  );
}
