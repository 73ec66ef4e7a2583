import { type FormatName, fullFormats } from "ajv-formats/dist/formats.js";

/** Whether the text is of the format by ajv, which validates by the published schema. */
export function isOfFormat(format: FormatName, text: string): boolean {
  let rule: unknown = fullFormats[format];
  if (typeof rule === "object" && rule !== null && "validate" in rule) rule = rule.validate;
  if (rule instanceof RegExp) return rule.test(text);
  if (typeof rule === "function") return Boolean(rule(text));
  throw new TypeError(`ajv-formats gives no check for "${format}"`);
}
