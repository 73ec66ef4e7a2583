import type { JsonValue } from "../workspace/json.ts";
import { type FieldType, keywords } from "./field-type.ts";
import { type NumberField, number } from "./number.ts";

export const integer: FieldType<NumberField, number> = {
  ...number,
  name: "integer",
  shape: "integer",
  hasShape: (value: JsonValue): value is number => Number.isInteger(value),
  schema: (field) => ({ type: "integer", ...keywords(field, ["minimum", "maximum"]) }),
};
