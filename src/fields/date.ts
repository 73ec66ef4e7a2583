import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";
import { isOfFormat } from "./formats.ts";

export const date: FieldType<FieldDefinition, string> = {
  name: "date",
  options: {},
  canBeUnique: true,
  shape: "string",
  hasShape: isString,
  brokenConstraint: (_field, value) =>
    isOfFormat("date", value) ? undefined : { constraint: "format", format: "date", value },
  schema: () => ({ type: "string", format: "date" }),
};
