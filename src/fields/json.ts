import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonValue } from "../workspace/json.ts";
import type { FieldType } from "./field-type.ts";

/** V8: opaque. Nothing inside is resolved, nothing is lost. */
export const json: FieldType<FieldDefinition, JsonValue> = {
  name: "json",
  options: {},
  shape: "a JSON value other than null",
  hasShape: (value: JsonValue): value is JsonValue => value !== null,
  isOpaque: true,
  schema: () => ({ not: { type: "null" } }),
};
