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
      const isTree = field.type === "rich-text";
      const value = data[field.key];
      const values = isTree ? treesOf(value, field).flatMap(pointersIn) : elements(value, field);
      const ofType = values.filter((value) => MEMBERS[type]?.some((name) => name in value));
      const here = isTree ? ofType : field.type === type ? values : [];
      if (field.type !== "content-block" && !isTree) return here;
      const inside = values.flatMap(({ contentBlockId, data: inner }) => {
        const block = blocks.find(({ id }) => id === contentBlockId);
        return block && isJsonObject(inner) ? valuesOfType(type, block.fields, inner, blocks) : [];
      });
      return [...here, ...inside];
    });
}

/** V11: what a tree has, by the type of field that has the same. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  reference: ["contentEntryId"],
  "content-block": ["contentBlockId"],
};

/** The members of stored and of served pointers. */
const FORMS = [
  "contentEntryId",
  "contentEntryId,contentModelKey",
  "contentBlockId,data",
  "contentBlockId,contentBlockKey,data",
];

/** V3: a pointer alone is no tree. */
function treesOf(value: JsonValue | undefined, { repeatable }: FieldDefinition): JsonValue[] {
  const list = repeatable && Array.isArray(value) ? value : [value ?? null];
  return list.filter((tree) => !(isJsonObject(tree) && isPointer(tree)));
}

function isPointer(value: JsonObject): boolean {
  return FORMS.includes(Object.keys(value).sort().join());
}

/** V11: the references and blocks in a tree that are not inside of others. */
function pointersIn(value: JsonValue | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(pointersIn);
  if (!isJsonObject(value)) return [];
  if (isPointer(value)) return [value];
  return Object.values(value).flatMap(pointersIn);
}

function elements(
  value: JsonValue | undefined,
  { repeatable = false }: FieldDefinition,
): JsonObject[] {
  const list = repeatable ? value : [value];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
