import type { FieldDefinition } from "../../src/workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/workspace/json.ts";
import type { Block } from "../../src/workspace/records.ts";

/** Every value of a type in stored or served data, those inside blocks too. */
export function valuesOfType(
  type: string,
  fields: readonly FieldDefinition[],
  data: JsonObject,
  blocks: readonly Block[],
): JsonObject[] {
  return fields
    .filter(({ key }) => Object.hasOwn(data, key))
    .flatMap((field) => {
      const values = elements(data[field.key], field.repeatable);
      const here = field.type === type ? values : [];
      if (field.type !== "content-block") return here;
      const inside = values.flatMap(({ contentBlockId, data: inner }) => {
        const block = blocks.find(({ id }) => id === contentBlockId);
        return block && isJsonObject(inner) ? valuesOfType(type, block.fields, inner, blocks) : [];
      });
      return [...here, ...inside];
    });
}

function elements(value: JsonValue | undefined, repeatable = false): JsonObject[] {
  const list = repeatable ? value : [value];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
