import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Block } from "../workspace/records.ts";
import type { FieldType } from "./field-type.ts";
import { suggested } from "./suggested.ts";

interface ContentBlockField extends FieldDefinition {
  /** None: every block is accepted. */
  readonly category?: string;
}

interface StoredBlock extends JsonObject {
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
  serve(field, { contentBlockId, data }, serving) {
    const { blocks, optionProblems } = serving.lookup;
    const block = blocks.get(contentBlockId);
    if (block === undefined) {
      const meant = suggested(contentBlockId, blocks, () => blocks.keys());
      serving.report("block-deleted", { block: contentBlockId, ...meant });
      return undefined;
    }
    if (!isAccepted(field, block)) {
      const unknown = optionProblems.get(field);
      const args = { block: block.key, category: field.category ?? "" };
      if (unknown === undefined) serving.report("block-not-accepted", args);
      else serving.refuseBy(unknown);
    }
    serving.enter("data");
    const served = serving.data(block.fields, data);
    serving.leave();
    return { contentBlockId, contentBlockKey: block.key, data: served };
  },
  /** S5: one of the accepted blocks, discriminated by the `contentBlockKey` const. */
  schema(field, { blocks }) {
    const accepted = blocks.filter((block) => isAccepted(field, block));
    if (accepted.length === 0) return { not: {} };
    return { anyOf: accepted.map(({ key }) => ({ $ref: `#/$defs/contentBlocks/${key}` })) };
  },
  canVanish: true,
};

function isAccepted(field: ContentBlockField, block: Block): boolean {
  return field.category === undefined || block.category === field.category;
}
