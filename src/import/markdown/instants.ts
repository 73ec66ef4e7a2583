import { isOfFormat } from "../../fields/formatted.ts";
import type { JsonValue } from "../../workspace/json.ts";

const NUMERIC =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:(?:T|[ \t]+)(\d{1,2}):(\d\d)(?::(\d\d)(\.\d+)?)?[ \t]*(Z|UTC|GMT|[-+]\d\d(?::?\d\d)?)?)?$/i;

/** `2 Jan 2099`, `Fri, January 2, 2099`. */
const NAMED = /^(?:[a-z]{3,9},? )?(?:\d{1,2} [a-z]{3,9}|[a-z]{3,9} \d{1,2}),? \d{4}$/i;

/**
 * RFC 3339 (A4) of a date as front matter has it. A date alone is its midnight, and a time without a zone is in
 * UTC. Undefined: it is no date.
 */
export function instantOf(value: JsonValue): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  if (NAMED.test(text)) {
    const time = Date.parse(`${text} UTC`);
    return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace(".000", "");
  }
  const parts = NUMERIC.exec(text);
  if (parts === null) return undefined;
  const [year, month = "", day = "", hours = "0", minutes = "00", seconds = "00"] = parts.slice(1);
  const [fraction = "", zone = "Z"] = parts.slice(7);
  const two = (digits: string) => digits.padStart(2, "0");
  const date = `${year}-${two(month)}-${two(day)}`;
  const [, sign, ofHour, ofMinute = "00"] = /^([-+])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = sign === undefined ? "Z" : `${sign}${ofHour}:${ofMinute}`;
  const instant = `${date}T${two(hours)}:${minutes}:${seconds}${fraction}${offset}`;
  const isReal = isOfFormat("date-time", instant) && !Number.isNaN(Date.parse(instant));
  return isReal ? instant : undefined;
}
