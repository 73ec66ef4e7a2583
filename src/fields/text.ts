import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString, keywords } from "./field-type.ts";
import { Pattern } from "./pattern/pattern.ts";

interface TextField extends FieldDefinition {
  /** In Unicode code points, as in JSON Schema. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** ECMAScript, `u` flag, not anchored. */
  readonly pattern?: string;
  /** V12: for tools. */
  readonly format?: "markdown";
}

const LENGTH = { type: "integer", minimum: 0 };

export const text: FieldType<TextField, string> = {
  name: "text",
  options: {
    minLength: LENGTH,
    maxLength: LENGTH,
    pattern: { type: "string" },
    format: { enum: ["markdown"] },
  },
  optionFault({ minLength, maxLength, pattern }) {
    if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
      return `minLength ${minLength} is greater than maxLength ${maxLength}`;
    }
    return pattern === undefined ? undefined : patternFault(pattern);
  },
  unboundedPattern: ({ pattern }) =>
    pattern === undefined ? undefined : Pattern.of(pattern).unbounded,
  canBeUnique: true,
  shape: "string",
  hasShape: isString,
  /** P2: blank text is none. */
  isEmpty: (value) => !/\S/.test(value),
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
    if (pattern === undefined) return undefined;
    const matches = patternOf(field, pattern).test(value);
    if (matches === "too-slow") return { constraint: "pattern", pattern, isTooSlow: true };
    return matches ? undefined : { constraint: "pattern", pattern };
  },
  schema: (field) => ({
    type: "string",
    ...keywords(field, ["minLength", "maxLength", "pattern"]),
    ...(field.format === "markdown" && { contentMediaType: "text/markdown" }),
  }),
};

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

const patterns = new WeakMap<TextField, Pattern>();

function patternOf(field: TextField, source: string): Pattern {
  let pattern = patterns.get(field);
  if (pattern === undefined) {
    pattern = Pattern.of(source);
    patterns.set(field, pattern);
  }
  return pattern;
}

function patternFault(pattern: string): string | undefined {
  try {
    Pattern.of(pattern);
    return undefined;
  } catch (error) {
    return `pattern is not a regular expression: ${(error as Error).message}`;
  }
}
