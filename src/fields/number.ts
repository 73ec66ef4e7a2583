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
  canBeUnique: true,
  shape: "number",
  hasShape: isNumber,
  brokenConstraint({ minimum, maximum }, value) {
    if (minimum !== undefined && value < minimum) {
      return { constraint: "minimum", value, limit: minimum };
    }
    if (maximum !== undefined && value > maximum) {
      return { constraint: "maximum", value, limit: maximum };
    }
    return undefined;
  },
  schema: (field) => ({ type: "number", ...keywords(field, ["minimum", "maximum"]) }),
};
