import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";
import { isOfFormat } from "./formats.ts";

/** Schemes are written in any letter case (RFC 3986, section 3.1); a pattern has no flag for it. */
const SCHEME = "^(?:[Hh][Tt][Tt][Pp][Ss]?://|[Mm][Aa][Ii][Ll][Tt][Oo]:|[Tt][Ee][Ll]:)";
const scheme = new RegExp(SCHEME, "u");

export const url: FieldType<FieldDefinition, string> = {
  name: "url",
  options: {},
  canBeUnique: true,
  shape: "string",
  hasShape: isString,
  brokenConstraint: (_field, value) =>
    scheme.test(value) && isOfFormat("uri", value)
      ? undefined
      : { constraint: "format", format: "url", value },
  schema: () => ({ type: "string", format: "uri", pattern: SCHEME }),
};
