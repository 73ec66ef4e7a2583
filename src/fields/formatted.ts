import { type FormatName, fullFormats } from "ajv-formats/dist/formats.js";
import type { FieldDefinition } from "../workspace/field.ts";
import type { BrokenConstraint } from "../workspace/value-messages.ts";
import { type FieldType, isString, type JsonSchema } from "./field-type.ts";

/** Texts of a format of JSON Schema. */
export const date = formatted("date", "date");
export const dateTime = formatted("date-time", "date-time");
export const email = formatted("email", "email");
/** Schemes are written in any letter case (RFC 3986, section 3.1); a pattern has no flag for it. */
export const url = formatted("url", "uri", {
  pattern: "^(?:[Hh][Tt][Tt][Pp][Ss]?://|[Mm][Aa][Ii][Ll][Tt][Oo]:|[Tt][Ee][Ll]:)",
});

/** @param more keywords of its schema. */
function formatted(
  name: Extract<BrokenConstraint, { constraint: "format" }>["format"],
  format: FormatName,
  more: JsonSchema & { readonly pattern?: string } = {},
): FieldType<FieldDefinition, string> {
  const pattern = new RegExp(more.pattern ?? "", "u");
  return {
    name,
    options: {},
    canBeUnique: true,
    shape: "string",
    hasShape: isString,
    brokenConstraint: (_field, value) =>
      pattern.test(value) && isOfFormat(format, value)
        ? undefined
        : { constraint: "format", format: name, value },
    schema: () => ({ type: "string", format, ...more }),
  };
}

/** Whether the text is of the format by ajv, which validates by the published schema. */
export function isOfFormat(format: FormatName, text: string): boolean {
  let rule: unknown = fullFormats[format];
  if (typeof rule === "object" && rule !== null && "validate" in rule) rule = rule.validate;
  if (rule instanceof RegExp) return rule.test(text);
  if (typeof rule === "function") return Boolean(rule(text));
  throw new TypeError(`ajv-formats gives no check for "${format}"`);
}
