import { FIELD_TYPES } from "../../fields/registry.ts";
import { SHAPES } from "../../records/record-shapes.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { byCodeUnit, isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Block, Kind, Model, Workspace } from "../../workspace/records.ts";
import { mapPointers } from "../stored-blocks.ts";

export interface DataOrder {
  readonly models: ReadonlyMap<string, Model>;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly workspace: Workspace;
}

const FIELD_MEMBERS = [
  "key",
  "name",
  "description",
  "type",
  "title",
  "required",
  "localized",
  "repeatable",
  "minItems",
  "maxItems",
  ...new Set([...FIELD_TYPES.values()].flatMap(({ options }) => Object.keys(options))),
];

/**
 * G2: a record with its members in the order of their definition (of data: of the fields), and others
 * behind them by code unit. The locales of a value are by code unit too: a new project moves none.
 * Values of `json` fields stay as they are.
 */
export function orderedRecord(
  kind: Kind | "workspace",
  record: JsonObject,
  order: DataOrder,
): JsonObject {
  const members = ordered(record, SHAPES[kind]);
  const { data, draft, modelId, fields } = members;
  if (kind === "entries" && isJsonObject(data)) {
    const model = order.models.get(String(modelId));
    const locales = isJsonObject(draft) && { draft: inOrder(draft, []) };
    return { ...members, ...locales, data: orderedData(data, model?.fields, order) };
  }
  if (kind === "projects" && isJsonObject(fields)) {
    return { ...members, fields: orderedData(fields, order.workspace.fields, order) };
  }
  if (kind === "assets") return withTextsInOrder(members);
  if (Array.isArray(fields)) {
    const definitions = fields as readonly JsonObject[];
    return { ...members, fields: definitions.map((field) => inOrder(field, FIELD_MEMBERS)) };
  }
  return members;
}

/** V4d: of an asset and its versions. */
function withTextsInOrder(file: JsonObject): JsonObject {
  const members = Object.entries(file).map(([name, value]) => {
    if (name === "versions") return [name, (value as readonly JsonObject[]).map(withTextsInOrder)];
    return [name, isJsonObject(value) ? inOrder(value, []) : value];
  });
  return Object.fromEntries(members);
}

function ordered(value: JsonObject, shape: JsonObject): JsonObject {
  const { properties } = shape as { properties?: Readonly<Record<string, JsonObject>> };
  if (properties === undefined) return value;
  const entries = Object.entries(inOrder(value, Object.keys(properties)));
  return Object.fromEntries(
    entries.map(([name, member]) => [name, orderedItems(member, properties[name])]),
  );
}

function orderedItems(member: JsonValue, shape: JsonObject | undefined): JsonValue {
  const items = shape?.items as JsonObject | undefined;
  if (!Array.isArray(member) || items?.additionalProperties !== false) return member;
  return (member as readonly JsonObject[]).map((item) => ordered(item, items));
}

function orderedData(
  data: JsonObject,
  fields: readonly FieldDefinition[] = [],
  order: DataOrder,
): JsonObject {
  const withBlocks = mapPointers(fields, data, order.blocks, {
    block(stored, block) {
      const inside = stored.data;
      const own = isJsonObject(inside) && { data: orderedFields(inside, block?.fields) };
      return inOrder({ ...stored, ...own }, ["contentBlockId", "data"]);
    },
  });
  return orderedFields(withBlocks, fields);
}

function orderedFields(data: JsonObject, fields: readonly FieldDefinition[] = []): JsonObject {
  const keys = fields.map(({ key }) => key);
  const localized = new Set(fields.filter((field) => field.localized).map(({ key }) => key));
  const members = Object.entries(inOrder(data, keys)).map(([name, value]) => [
    name,
    localized.has(name) && isJsonObject(value) ? inOrder(value, []) : value,
  ]);
  return Object.fromEntries(members);
}

function inOrder(object: JsonObject, names: readonly string[]): JsonObject {
  const first = names.filter((name) => Object.hasOwn(object, name));
  const known = new Set(first);
  const others = Object.keys(object)
    .filter((name) => !known.has(name))
    .sort(byCodeUnit);
  return Object.fromEntries([...first, ...others].map((name) => [name, object[name] as JsonValue]));
}
