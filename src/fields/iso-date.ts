import type { Scalar } from "../workspace/conditions.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { type FieldType, isString } from "./field-type.ts";

/** Those that the calendar has. */
const DAY =
  "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)" +
  "|02-(?:0[1-9]|1[0-9]|2[0-8]))" +
  "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29";
const HOUR = "[01][0-9]|2[0-3]";
const MINUTE = "[0-5][0-9]";
const SECOND = "[0-5][0-9](?:\\.[0-9]+)?";
const ZONE = ` ?(?:[Zz]|([+-])(${HOUR})(?::?(${MINUTE}))?)`;
/** V13: in the syntax of every reader of a schema. */
const PATTERN = `^(${DAY})(?:[Tt ]((?:${HOUR}):${MINUTE})(?::(${SECOND}))?(?:${ZONE})?)?$`;
const FORM = new RegExp(PATTERN, "u");

/** V13. */
export const isoDate: FieldType<FieldDefinition, string> = {
  name: "iso-date",
  options: {},
  canBeUnique: true,
  shape: "string",
  hasShape: isString,
  brokenConstraint: (_field, value) =>
    FORM.test(value) ? undefined : { constraint: "format", format: "iso-date", value },
  schema: () => ({ type: "string", pattern: PATTERN }),
};

/** Q5, V13: in milliseconds since 1970; without a time midnight, without a zone UTC; NaN: it is no date. */
export function instantOf(value: Scalar): number {
  const found = typeof value === "string" ? FORM.exec(value) : null;
  if (found === null) return Number.NaN;
  const [, day, minute = "00:00", second = "00", sign = "+", hours = "0", minutes = "0"] = found;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return Date.parse(`${day}T${minute}:${second}Z`) - (sign === "-" ? -offset : offset);
}
