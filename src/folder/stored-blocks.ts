import { mapLocales } from "../fields/localized.ts";
import { mapTree } from "../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Block } from "../workspace/records.ts";

/** The value in place of a stored block; its definition is undefined when there is none. */
type BlockChange = (stored: JsonObject, block: Block | undefined) => JsonObject;

/**
 * M5: stored data with other blocks, wherever they are stored: in blocks, in rich text, and in each
 * locale's value; the innermost first. Opaque values, and data without a field, stay.
 */
export function mapBlocks(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  blocks: ReadonlyMap<string, Block>,
  change: BlockChange,
): JsonObject {
  const inBlock = (stored: JsonValue): JsonValue => {
    if (!isJsonObject(stored)) return stored;
    const block = blocks.get(String(stored.contentBlockId));
    if (block === undefined || !isJsonObject(stored.data)) return change(stored, block);
    return change({ ...stored, data: mapBlocks(block.fields, stored.data, blocks, change) }, block);
  };
  const inOneOrMany = (value: JsonValue) =>
    Array.isArray(value) ? value.map(inBlock) : inBlock(value);
  const inTree = (tree: JsonValue) =>
    mapTree(tree, { pointer: (kind, stored) => (kind === "block" ? inBlock(stored) : stored) });
  let changed = data;
  for (const field of fields) {
    const isTree = field.type === "rich-text";
    const value = ownMember(data, field.key);
    if (value === undefined || !(isTree || field.type === "content-block")) continue;
    const mapped = mapLocales(field, value, isTree ? inTree : inOneOrMany);
    changed = { ...changed, [field.key]: mapped };
  }
  return changed;
}
