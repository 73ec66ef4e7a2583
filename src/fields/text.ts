import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString, keywords } from "./field-type.ts";

interface TextField extends FieldDefinition {
  /** In Unicode code points, as in JSON Schema. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** ECMAScript, `u` flag, not anchored. */
  readonly pattern?: string;
}

const LENGTH = { type: "integer", minimum: 0 };

export const text: FieldType<TextField, string> = {
  name: "text",
  options: { minLength: LENGTH, maxLength: LENGTH, pattern: { type: "string" } },
  optionFault({ minLength, maxLength, pattern }) {
    if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
      return `minLength ${minLength} is greater than maxLength ${maxLength}`;
    }
    return pattern === undefined ? undefined : patternFault(pattern);
  },
  shape: "string",
  hasShape: isString,
  brokenConstraint(field, value) {
    const { minLength, maxLength, pattern } = field;
    if (minLength !== undefined || maxLength !== undefined) {
      const count = codePoints(value);
      if (minLength !== undefined && count < minLength) {
        return { constraint: "minLength", count, limit: minLength };
      }
      if (maxLength !== undefined && count > maxLength) {
        return { constraint: "maxLength", count, limit: maxLength };
      }
    }
    if (pattern !== undefined && !compiledPattern(field, pattern).test(value)) {
      return { constraint: "pattern", pattern };
    }
    return undefined;
  },
  schema: (field) => ({
    type: "string",
    ...keywords(field, ["minLength", "maxLength", "pattern"]),
  }),
};

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

const compiled = new WeakMap<TextField, RegExp>();

function compiledPattern(field: TextField, pattern: string): RegExp {
  let expression = compiled.get(field);
  if (expression === undefined) {
    expression = new RegExp(pattern, "u");
    compiled.set(field, expression);
  }
  return expression;
}

function patternFault(pattern: string): string | undefined {
  try {
    // V8 compiles a regular expression completely when it first runs.
    new RegExp(pattern, "u").test("");
    return undefined;
  } catch (error) {
    return `pattern is not a regular expression: ${(error as Error).message}`;
  }
}
