import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";

interface SelectField extends FieldDefinition {
  readonly options: readonly string[];
}

export const select: FieldType<SelectField, string> = {
  name: "select",
  options: {
    options: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
  },
  requiredOptions: ["options"],
  shape: "a string",
  hasShape: isString,
  brokenConstraint(field, value) {
    if (field.options.includes(value)) return undefined;
    const options = field.options.map((option) => JSON.stringify(option)).join(", ");
    return `${JSON.stringify(value)} is not one of the options ${options}`;
  },
  schema: (field) => ({ type: "string", enum: field.options }),
};
