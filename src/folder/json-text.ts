import jsonc, { type ParseErrorCode } from "jsonc-parser";
import type { JsonValue } from "../workspace/json.ts";
import {
  losses,
  mayLose,
  nestsTooDeepIn,
  ParsedValue,
  type TextFault,
  TOO_DEEP,
} from "./json-losses.ts";
import { positionFinder } from "./text-positions.ts";

/**
 * A JSON text as a value, or what is wrong with it.
 *
 * Beyond broken JSON that is what a plain parse would silently lose: all but the last of
 * duplicate members, and digits of numbers that a double cannot hold.
 */
export function parseJsonText(text: string): { value: JsonValue } | { faults: TextFault[] } {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const fault = syntaxFault(text);
    return { faults: [fault ?? { message: (error as Error).message }] };
  }
  const parsed = new ParsedValue(value);
  if (parsed.tooDeep) return { faults: [TOO_DEEP] };
  if (!mayLose(text, parsed)) return { value };
  const faults = losses(text);
  return faults.length > 0 ? { faults } : { value };
}

/** Whether many readers of JSON would fail on a value. */
export function nestsTooDeep(value: JsonValue): boolean {
  return new ParsedValue(value).tooDeep;
}

function syntaxFault(text: string): TextFault | undefined {
  if (nestsTooDeepIn(text)) return TOO_DEEP;
  let first: { error: ParseErrorCode; offset: number } | undefined;
  // One slip makes a parser stumble several times; the first place is where to look.
  const onError = (error: ParseErrorCode, offset: number) => {
    first ??= { error, offset };
  };
  jsonc.visit(text, { onError }, { disallowComments: true });
  if (first === undefined) return undefined;
  const { error, offset } = first as { error: ParseErrorCode; offset: number };
  const message = `broken JSON: ${SYNTAX[error] ?? "unexpected text"}`;
  return { message, ...positionFinder(text)(offset) };
}

/** By jsonc-parser's error codes. */
const SYNTAX: Readonly<Record<number, string>> = {
  1: "unexpected text",
  2: "a number has the wrong form",
  3: "a member's name in double quotes is expected",
  4: "a value is expected",
  5: "':' is expected",
  6: "',' is expected",
  7: "'}' is expected",
  8: "']' is expected",
  9: "text after the end of the value",
  10: "comments are not allowed",
  11: "a comment has no end",
  12: "a string has no end",
  13: "a number has no end",
  14: "a Unicode escape has the wrong form",
  15: "an escape in a string has the wrong form",
  16: "a control character must be escaped",
};
