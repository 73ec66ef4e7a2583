import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from "../workspace/json.ts";
import type { Literal, Member, Type } from "./schema-model.ts";

/** The members of an object schema, sorted by name. */
export function readMembers(schema: JsonObject): Member[] {
  const properties = ownMember(schema, "properties");
  const required = ownMember(schema, "required");
  const isRequired = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isJsonObject(properties) ? properties : {})
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([name, value]) => {
      const member = isJsonObject(value) ? value : {};
      const texts = [member.title, member.description].filter((one) => typeof one === "string");
      const title = texts.length === 0 ? undefined : texts.join(": ");
      return { name, title, isRequired: isRequired.has(name), type: readType(member) };
    });
}

/** The type of the values that a schema allows, without constraints such as lengths. */
function readType(schema: JsonObject): Type {
  const { const: constant, enum: options, anyOf, not, type, items, $defs } = schema;
  // S10.
  if (isJsonObject($defs) && isJsonObject($defs.pointer)) return readTree($defs.pointer);
  if (Object.hasOwn(schema, "const")) return literals([constant as Literal]);
  if (Array.isArray(options)) return literals(options as readonly Literal[]);
  if (Array.isArray(anyOf)) return readChoice(anyOf.map((one) => (isJsonObject(one) ? one : {})));
  if (isJsonObject(not) && Object.keys(not).length === 0) return { kind: "block", blockKeys: [] };
  if (Array.isArray(type)) {
    return union(type.map((name) => readType({ ...schema, type: name as JsonValue })));
  }
  switch (type) {
    case "array":
      return { kind: "list", items: isJsonObject(items) ? readType(items) : { kind: "json" } };
    case "object":
      return { kind: "object", members: readMembers(schema) };
    case "integer":
    case "number":
      return { kind: "number" };
    case "string":
    case "boolean":
    case "null":
      return { kind: type };
    default:
      return Object.hasOwn(schema, "$ref") ? readChoice([schema]) : { kind: "json" };
  }
}

function readTree({ anyOf: pointers }: JsonObject): Type {
  const list = Array.isArray(pointers) ? (pointers as readonly JsonValue[]) : [];
  return {
    kind: "rich-text",
    pointers: list.map((one) => (isJsonObject(one) ? readType(one) : { kind: "unknown" })),
  };
}

/** S5: accepted blocks, or a pointer, or else a union. */
function readChoice(alternatives: readonly JsonObject[]): Type {
  const blockKeys = alternatives.map(({ $ref }) => definitionKey($ref, "contentBlocks"));
  if (alternatives.length > 0 && blockKeys.every((key) => key !== undefined)) {
    return { kind: "block", blockKeys };
  }
  if (alternatives.some(({ $ref }) => $ref !== undefined)) return { kind: "unknown" };
  const pointers = alternatives.map(pointerModel);
  if (pointers.every((models) => models !== undefined)) {
    return { kind: "pointer", modelKeys: pointers.flat() };
  }
  return union(alternatives.map(readType));
}

/** The model that a pointer schema accepts; empty without `contentModelKey`; undefined if not a pointer. */
function pointerModel({ properties }: JsonObject): string[] | undefined {
  if (!isJsonObject(properties) || !Object.hasOwn(properties, "contentEntryId")) return undefined;
  const { contentModelKey } = properties;
  return isJsonObject(contentModelKey) ? [String(contentModelKey.const)] : [];
}

function definitionKey($ref: JsonValue | undefined, section: string): string | undefined {
  const prefix = `#/$defs/${section}/`;
  return typeof $ref === "string" && $ref.startsWith(prefix)
    ? $ref.slice(prefix.length)
    : undefined;
}

function literals(values: readonly Literal[]): Type {
  return { kind: "literals", values };
}

function union(types: readonly Type[]): Type {
  const [only, ...more] = types;
  return only !== undefined && more.length === 0 ? only : { kind: "union", types };
}
