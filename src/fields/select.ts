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
  canBeUnique: true,
  shape: "string",
  hasShape: isString,
  brokenConstraint(field, value) {
    const { options } = field;
    return options.includes(value) ? undefined : { constraint: "options", value, options };
  },
  schema: (field) => ({ type: "string", enum: field.options }),
};
