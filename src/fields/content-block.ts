import { suggestedId } from "../workspace/did-you-mean.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Block } from "../workspace/records.ts";
import type { FieldType, JsonSchema, SchemaContext } from "./field-type.ts";
import type { Renderer } from "./renderer.ts";
import { setName } from "./shared-schemas.ts";

interface ContentBlockField extends FieldDefinition {
  /** None: every block is accepted. */
  readonly category?: string;
}

export interface StoredBlock extends JsonObject {
  readonly contentBlockId: string;
  readonly data: JsonObject;
}

/** V6. */
export const contentBlock: FieldType<ContentBlockField, StoredBlock> = {
  name: "content-block",
  options: { category: { type: "string", minLength: 1 } },
  unknownNames({ category }, { blocks }) {
    if (category === undefined) return [];
    const known = blocks.flatMap((block) => block.category ?? []);
    if (known.includes(category)) return [];
    return [{ option: "category", name: category, path: ["category"], known }];
  },
  shape: "block",
  hasShape: (value: JsonValue): value is StoredBlock =>
    isJsonObject(value) &&
    typeof ownMember(value, "contentBlockId") === "string" &&
    isJsonObject(ownMember(value, "data")),
  render: (field, stored, renderer) =>
    renderBlock(stored, renderer, (block) => {
      if (isAccepted(field, block)) return;
      const unknown = renderer.lookup.optionProblems.get(field);
      const args = { block: block.key, category: field.category ?? "" };
      if (unknown === undefined) renderer.report("block-not-accepted", args);
      else renderer.refuseBy(unknown);
    }),
  schema: (field, context) => servedBlocks(ofCategory(field, context), context),
  storedSchema: (field, context) => storedBlocks(ofCategory(field, context), context),
  canVanish: true,
  holdsBlocks: true,
};

function isAccepted(field: ContentBlockField, block: Block): boolean {
  return field.category === undefined || block.category === field.category;
}

function ofCategory(field: ContentBlockField, { blocks }: SchemaContext): readonly Block[] {
  return blocks.filter((block) => isAccepted(field, block));
}

/** V6: the served block; undefined when it has no definition, which `check` looks at. */
export function renderBlock(
  { contentBlockId, data }: StoredBlock,
  renderer: Renderer,
  check: (block: Block) => void,
): JsonObject | undefined {
  const { blocks } = renderer.lookup;
  const block = blocks.get(contentBlockId);
  if (block === undefined) {
    const meant = suggestedId(contentBlockId, blocks);
    renderer.report("block-deleted", { block: contentBlockId, ...meant });
    return undefined;
  }
  check(block);
  renderer.enter("data");
  const served = renderer.data(block.fields, data);
  renderer.leave();
  return { contentBlockId, contentBlockKey: block.key, data: served };
}

/** S5, S11: one of the accepted blocks, told apart by `contentBlockKey`. */
export function servedBlocks(accepted: readonly Block[], context: SchemaContext): JsonSchema {
  const { blocks, shared } = context;
  if (accepted.length === 0) return { not: {} };
  const isKeyed = { contentBlockKey: { enum: accepted.map(({ key }) => key) } };
  return shared.ref(setName("content-block", accepted, blocks), () => {
    if (accepted.length < blocks.length) {
      return { ...servedBlocks(blocks, context), type: "object", properties: isKeyed };
    }
    return {
      type: "object",
      properties: isKeyed,
      required: ["contentBlockKey"],
      allOf: blocks.map(({ key }) => ({
        if: { properties: { contentBlockKey: { const: key } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { $ref: `#/$defs/contentBlocks/${key}` },
      })),
    };
  });
}

/** G7. */
export function storedBlocks(
  accepted: readonly Block[],
  { blocks, shared }: SchemaContext,
): JsonSchema {
  if (accepted.length === 0) return { not: {} };
  return shared.ref(setName("content-block", accepted, blocks), () => storedBlock(accepted));
}

function storedBlock(accepted: readonly Block[]): JsonSchema {
  const contentBlockId = {
    enum: accepted.map(({ id }) => id),
    enumDescriptions: accepted.map(({ name }) => name),
  };
  return {
    type: "object",
    properties: { contentBlockId, data: { type: "object" } },
    required: ["contentBlockId", "data"],
    additionalProperties: false,
    allOf: accepted.map(({ id }) => ({
      if: { properties: { contentBlockId: { const: id } }, required: ["contentBlockId"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { data: { $ref: `#/$defs/blocks/${id}` } } },
    })),
  };
}
