import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isNumber, keywords } from "./field-type.ts";

export interface NumberField extends FieldDefinition {
  readonly minimum?: number;
  readonly maximum?: number;
}

export const number: FieldType<NumberField, number> = {
  name: "number",
  options: { minimum: { type: "number" }, maximum: { type: "number" } },
  optionFault({ minimum, maximum }) {
    return minimum !== undefined && maximum !== undefined && minimum > maximum
      ? `minimum ${minimum} is greater than maximum ${maximum}`
      : undefined;
  },
  shape: "a number",
  hasShape: isNumber,
  brokenConstraint(field, value) {
    if (value < (field.minimum ?? Number.NEGATIVE_INFINITY)) {
      return `${value} is less than minimum ${field.minimum}`;
    }
    if (value > (field.maximum ?? Number.POSITIVE_INFINITY)) {
      return `${value} is greater than maximum ${field.maximum}`;
    }
    return undefined;
  },
  schema: (field) => ({ type: "number", ...keywords(field, ["minimum", "maximum"]) }),
};
