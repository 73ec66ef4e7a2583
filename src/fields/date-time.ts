import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";
import { isOfFormat } from "./formats.ts";

export const dateTime: FieldType<FieldDefinition, string> = {
  name: "date-time",
  options: {},
  shape: "a string",
  hasShape: isString,
  brokenConstraint: (_field, value) =>
    isOfFormat("date-time", value)
      ? undefined
      : `${JSON.stringify(value)} is not a date and time with zone by RFC 3339`,
  schema: () => ({ type: "string", format: "date-time" }),
};
