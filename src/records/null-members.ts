import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Kind } from "../workspace/records.ts";
import { FIELD, fieldShape, SHAPES } from "./record-shapes.ts";

/** W2: a record without its optional members that are null. Stored values stay as they are. */
export function withoutNullMembers(kind: Kind | "workspace", record: JsonValue): JsonValue {
  return withoutNulls(SHAPES[kind], record);
}

/** The value itself if it has none. */
function withoutNulls(shape: JsonObject, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const { items } = shape;
    if (!isJsonObject(items)) return value;
    const elements = (value as readonly JsonValue[]).map((one) => withoutNulls(items, one));
    return elements.some((one, index) => one !== value[index]) ? elements : value;
  }
  if (!isJsonObject(value)) return value;
  const known =
    shape === FIELD ? (fieldShape(value as unknown as FieldDefinition) ?? shape) : shape;
  if (known.properties === undefined) return value;
  const { properties, required } = known as unknown as ObjectShape;
  const changed: [name: string, value: JsonValue | undefined][] = [];
  // `Object.entries` would take a twentieth of an import's time.
  for (const name in properties) {
    const member = properties[name] as JsonObject;
    const before = ownMember(value, name);
    if (before === undefined) continue;
    const after =
      before === null && !required?.includes(name) ? undefined : withoutNulls(member, before);
    if (after !== before) changed.push([name, after]);
  }
  if (changed.length === 0) return value;
  const result: Record<string, JsonValue> = { ...value };
  for (const [name, after] of changed) {
    if (after === undefined) delete result[name];
    else result[name] = after;
  }
  return result;
}

interface ObjectShape {
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}
