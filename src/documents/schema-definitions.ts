import { dataSchema } from "../fields/data-schema.ts";
import type { JsonSchema, SchemaContext } from "../fields/field-type.ts";
import { SharedSchemas } from "../fields/shared-schemas.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Block, Model, Workspace } from "../workspace/records.ts";

/** The extension keywords of the document, which a strict validator must know. */
export const EXTENSION_KEYWORDS = [
  "x-svc-schema-version",
  "x-svc-source",
  "x-svc-version-id",
  "x-svc-step-content-models",
  "x-svc-feature-values",
  "x-svc-patterns",
] as const;

/** S11: where the definitions that fields share stand. */
const SHARED_AT = "#/$defs/fields/$defs";

/** The input of the definitions. */
export interface DefinitionSource {
  readonly workspace: Workspace;
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
}

/** The definitions that the projects of a workspace share. */
export function sharedDefinitions(draft: DefinitionSource): JsonObject {
  const { workspace, models, blocks } = draft;
  const shared = new SharedSchemas(SHARED_AT);
  const context = { workspace, models, blocks, shared };
  const definitions = {
    contentModels: Object.fromEntries(
      models.map(({ key, name, fields }) => [key, dataSchema(fields, context, name)]),
    ),
    contentBlocks: Object.fromEntries(
      blocks.map((block) => [block.key, blockSchema(block, context)]),
    ),
    fields: dataSchema(workspace.fields ?? [], context),
  };
  // S11: service.md fixes the members of the document's `$defs`.
  const $defs = shared.schemas;
  if (Object.keys($defs).length === 0) return definitions;
  return { ...definitions, fields: { ...definitions.fields, $defs } };
}

/** S2. A block as it is served, discriminated by its key. */
function blockSchema({ key, name, fields }: Block, context: SchemaContext): JsonSchema {
  return {
    title: name,
    type: "object",
    properties: {
      contentBlockId: { type: "string" },
      contentBlockKey: { const: key },
      data: dataSchema(fields, context),
    },
    required: ["contentBlockId", "contentBlockKey", "data"],
    additionalProperties: false,
  };
}
