import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";
import { isOfFormat } from "./formats.ts";

export const dateTime: FieldType<FieldDefinition, string> = {
  name: "date-time",
  options: {},
  canBeUnique: true,
  shape: "string",
  hasShape: isString,
  brokenConstraint: (_field, value) =>
    isOfFormat("date-time", value)
      ? undefined
      : { constraint: "format", format: "date-time", value },
  schema: () => ({ type: "string", format: "date-time" }),
};
