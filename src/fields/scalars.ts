import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonValue } from "../workspace/json.ts";
import { type FieldType, isNumber, isString, keywords } from "./field-type.ts";

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

export const boolean: FieldType<FieldDefinition, boolean> = {
  name: "boolean",
  options: {},
  shape: "boolean",
  hasShape: (value: JsonValue): value is boolean => typeof value === "boolean",
  schema: () => ({ type: "boolean" }),
};

interface NumberField extends FieldDefinition {
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

export const integer: FieldType<NumberField, number> = {
  ...number,
  name: "integer",
  shape: "integer",
  hasShape: (value: JsonValue): value is number => Number.isInteger(value),
  schema: (field) => ({ type: "integer", ...keywords(field, ["minimum", "maximum"]) }),
};

/** V8: opaque: served as stored, with nothing inside resolved. */
export const json: FieldType<FieldDefinition, JsonValue> = {
  name: "json",
  options: {},
  shape: "non-null",
  hasShape: (value: JsonValue): value is JsonValue => value !== null,
  schema: () => ({ not: { type: "null" } }),
};
