import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonValue } from "../workspace/json.ts";
import type { FieldType } from "./field-type.ts";

export const boolean: FieldType<FieldDefinition, boolean> = {
  name: "boolean",
  options: {},
  shape: "boolean",
  hasShape: (value: JsonValue): value is boolean => typeof value === "boolean",
  schema: () => ({ type: "boolean" }),
};
