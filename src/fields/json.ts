import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonValue } from "../workspace/json.ts";
import type { FieldType } from "./field-type.ts";

/** V8: opaque: served as stored, with nothing inside resolved. */
export const json: FieldType<FieldDefinition, JsonValue> = {
  name: "json",
  options: {},
  shape: "non-null",
  hasShape: (value: JsonValue): value is JsonValue => value !== null,
  schema: () => ({ not: { type: "null" } }),
};
