import { mapLocales } from "../fields/localized.ts";
import { mapTree } from "../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Block } from "../workspace/records.ts";

/** What becomes of stored values. */
interface PointerChanges {
  /** The value in place of a stored block; its definition is undefined when there is none. */
  readonly block?: (stored: JsonObject, block: Block | undefined) => JsonObject;
  /** The value in place of a stored reference. */
  readonly reference?: (stored: JsonObject) => JsonObject;
}

/**
 * M5: stored data with other blocks and references, wherever they are stored: in blocks, in rich text, and
 * in each locale's value; the innermost first. Opaque values, and data without a field, stay.
 */
export function mapPointers(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  blocks: ReadonlyMap<string, Block>,
  changes: PointerChanges,
): JsonObject {
  const { block: change = (stored) => stored, reference } = changes;
  const inReference = (stored: JsonValue): JsonValue =>
    isJsonObject(stored) && reference !== undefined ? reference(stored) : stored;
  const inBlock = (stored: JsonValue): JsonValue => {
    if (!isJsonObject(stored)) return stored;
    const block = blocks.get(String(stored.contentBlockId));
    if (block === undefined || !isJsonObject(stored.data)) return change(stored, block);
    return change(
      { ...stored, data: mapPointers(block.fields, stored.data, blocks, changes) },
      block,
    );
  };
  const ofEach = (change: (stored: JsonValue) => JsonValue) => (value: JsonValue) =>
    Array.isArray(value) ? value.map(change) : change(value);
  const none = (stored: JsonValue) => stored;
  const inPointer = { block: inBlock, reference: inReference, asset: none };
  const inValue: Readonly<Record<string, (value: JsonValue) => JsonValue>> = {
    "rich-text": (tree) => mapTree(tree, { pointer: (kind, stored) => inPointer[kind](stored) }),
    "content-block": ofEach(inBlock),
    ...(reference !== undefined && { reference: ofEach(inReference) }),
  };
  let changed = data;
  for (const field of fields) {
    const change = inValue[field.type];
    const value = ownMember(data, field.key);
    if (value === undefined || change === undefined) continue;
    const mapped = mapLocales(field, value, change);
    changed = { ...changed, [field.key]: mapped };
  }
  return changed;
}
