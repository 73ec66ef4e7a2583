import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";
import { isOfFormat } from "./formats.ts";

export const email: FieldType<FieldDefinition, string> = {
  name: "email",
  options: {},
  canBeUnique: true,
  shape: "string",
  hasShape: isString,
  brokenConstraint: (_field, value) =>
    isOfFormat("email", value) ? undefined : { constraint: "format", format: "email", value },
  schema: () => ({ type: "string", format: "email" }),
};
