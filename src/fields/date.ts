import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";
import { isOfFormat } from "./formats.ts";

export const date: FieldType<FieldDefinition, string> = {
  name: "date",
  options: {},
  shape: "a string",
  hasShape: isString,
  brokenConstraint: (_field, value) =>
    isOfFormat("date", value)
      ? undefined
      : `${JSON.stringify(value)} is not a calendar date as YYYY-MM-DD`,
  schema: () => ({ type: "string", format: "date" }),
};
