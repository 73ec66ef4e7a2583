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
  shape: "a string",
  hasShape: isString,
  brokenConstraint(field, value) {
    if (field.minLength !== undefined || field.maxLength !== undefined) {
      const length = codePoints(value);
      if (length < (field.minLength ?? 0)) {
        return `has ${length} characters, fewer than minLength ${field.minLength}`;
      }
      if (length > (field.maxLength ?? Number.POSITIVE_INFINITY)) {
        return `has ${length} characters, more than maxLength ${field.maxLength}`;
      }
    }
    if (field.pattern !== undefined && !compiledPattern(field, field.pattern).test(value)) {
      return `does not match the pattern ${field.pattern}`;
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
    // Compiled in full only when it is used.
    new RegExp(pattern, "u").test("");
    return undefined;
  } catch (error) {
    return `pattern is not a regular expression: ${(error as Error).message}`;
  }
}
