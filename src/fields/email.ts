import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";
import { isOfFormat } from "./formats.ts";

export const email: FieldType<FieldDefinition, string> = {
  name: "email",
  options: {},
  shape: "a string",
  hasShape: isString,
  brokenConstraint: (_field, value) =>
    isOfFormat("email", value) ? undefined : `${JSON.stringify(value)} is not an email address`,
  schema: () => ({ type: "string", format: "email" }),
};
