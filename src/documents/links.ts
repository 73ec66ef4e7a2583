import { fieldType } from "../fields/registry.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Block } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";

/**
 * Everything in served data that leads out of its entry: pointers and assets, with their places. Two
 * states of an entry with the same links reach the same entries and files.
 */
export function linksOf(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  blocks: ReadonlyMap<string, Block>,
  path = "",
): string[] {
  return fields.flatMap((field) => {
    const type = fieldType(field.type);
    if (!type.isLink && type.name !== "content-block") return [];
    const value = ownMember(data, field.key);
    const values: readonly JsonValue[] = Array.isArray(value) ? value : [value ?? null];
    return values.flatMap((element, index) => {
      if (!isJsonObject(element)) return [];
      const place = `${path}/${field.key}/${index}`;
      if (type.isLink) return [`${place} ${canonicalJson(element)}`];
      const block = blocks.get(String(element.contentBlockId));
      const inner = element.data;
      if (block === undefined || inner === undefined || !isJsonObject(inner)) return [];
      return linksOf(block.fields, inner, blocks, `${place}:${block.id}`);
    });
  });
}
