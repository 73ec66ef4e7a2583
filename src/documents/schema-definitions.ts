import { dataSchema } from "../fields/data-schema.ts";
import type { Definitions, JsonSchema } from "../fields/field-type.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Block, Model, Workspace } from "../workspace/records.ts";

/** The extension keywords of the document, which a strict validator must know. */
export const EXTENSION_KEYWORDS = [
  "x-svc-schema-version",
  "x-svc-source",
  "x-svc-version-id",
  "x-svc-step-content-models",
  "x-svc-feature-values",
] as const;

/** The input of the definitions. */
export interface DefinitionSource {
  readonly workspace: Workspace;
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
}

/** The definitions that the projects of a workspace share. */
export function sharedDefinitions(draft: DefinitionSource): JsonObject {
  return {
    contentModels: Object.fromEntries(
      draft.models.map(({ key, name, fields }) => [
        key,
        dataSchema(fields, draft, `#/$defs/contentModels/${key}`, name),
      ]),
    ),
    contentBlocks: Object.fromEntries(
      draft.blocks.map((block) => [block.key, blockSchema(block, draft)]),
    ),
    fields: dataSchema(draft.workspace.fields ?? [], draft, "#/$defs/fields"),
  };
}

/** S2. A block as it is served, discriminated by its key. */
function blockSchema({ key, name, fields }: Block, definitions: Definitions): JsonSchema {
  return {
    title: name,
    type: "object",
    properties: {
      contentBlockId: { type: "string" },
      contentBlockKey: { const: key },
      data: dataSchema(fields, definitions, `#/$defs/contentBlocks/${key}/properties/data`),
    },
    required: ["contentBlockId", "contentBlockKey", "data"],
    additionalProperties: false,
  };
}
