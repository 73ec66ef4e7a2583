import jsonc, { type Node, type ParseErrorCode } from "jsonc-parser";
import type { JsonValue } from "../workspace/json.ts";
import {
  findLosses,
  mayLoseData,
  nestsTooDeepIn,
  ParsedValue,
  type TextFault,
  TOO_DEEP,
} from "./json-losses.ts";
import { positionFinder } from "./text-positions.ts";

/**
 * Parses a JSON text without loss. Faults are, besides syntax errors, duplicate members, numbers
 * that a double cannot represent, and values nested too deeply.
 *
 * @param text may have comments and trailing commas if `isJsonc`.
 */
export function parseJsonText(
  text: string,
  { isJsonc = false } = {},
): { value: JsonValue } | { faults: TextFault[] } {
  let value: JsonValue;
  try {
    value = isJsonc ? parseJsonc(text) : JSON.parse(text);
  } catch (error) {
    const conflicts = mergeConflicts(text);
    if (conflicts.length > 0) return { faults: conflicts };
    const fault = syntaxFault(text, isJsonc);
    return { faults: [fault ?? { message: (error as Error).message }] };
  }
  const parsed = new ParsedValue(value);
  if (parsed.tooDeep) return { faults: [TOO_DEEP] };
  if (!mayLoseData(text, parsed)) return { value };
  const faults = findLosses(text);
  return faults.length > 0 ? { faults } : { value };
}

/** Whether a value is nested more deeply than many JSON parsers accept. */
export function nestsTooDeep(value: JsonValue): boolean {
  return new ParsedValue(value).tooDeep;
}

/** W3. */
function parseJsonc(text: string): JsonValue {
  if (syntaxFault(text, true) !== undefined) throw new SyntaxError("broken JSON");
  return jsonValue(text);
}

/** The tree of a JSON text, comments and trailing commas allowed. */
export function jsonTree(text: string): Node {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new TypeError("the text is not JSON");
  return root;
}

export function jsonValue(text: string): JsonValue {
  return treeValue(jsonTree(text));
}

/** Unlike jsonc-parser's, with a member `__proto__` where the text has one. */
export function treeValue({ type, children = [], value }: Node): JsonValue {
  if (type === "array") return children.map(treeValue);
  if (type !== "object") return value;
  return Object.fromEntries(children.map((one) => [memberName(one), treeValue(memberValue(one))]));
}

export const memberName = ({ children }: Node): string => children?.[0]?.value;
export const memberValue = ({ children }: Node) => children?.[1] as Node;

function syntaxFault(text: string, isJsonc: boolean): TextFault | undefined {
  if (nestsTooDeepIn(text)) return TOO_DEEP;
  let first: { error: ParseErrorCode; offset: number } | undefined;
  // One mistake causes several errors; only the first is useful.
  const onError = (error: ParseErrorCode, offset: number) => {
    first ??= { error, offset };
  };
  jsonc.visit(text, { onError }, { disallowComments: !isJsonc, allowTrailingComma: isJsonc });
  if (first === undefined) return undefined;
  const { error, offset } = first as { error: ParseErrorCode; offset: number };
  const message = `broken JSON: ${SYNTAX[error] ?? "unexpected text"}`;
  return { message, ...positionFinder(text)(offset) };
}

/** The conflicts that Git left in a text, each at its first line; in a line of NDJSON, at each of its lines. */
function mergeConflicts(text: string): TextFault[] {
  const markers = [...text.matchAll(/^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?\r?$/gm)];
  const starts = markers.filter(([line]) => line.startsWith("<"));
  const placeOf = positionFinder(text);
  return (starts.length > 0 ? starts : markers).map(({ index }) => ({
    code: "merge-conflict",
    message: MERGE_CONFLICT,
    ...placeOf(index),
  }));
}

const MERGE_CONFLICT =
  "an unresolved merge conflict: keep what is right, and remove the lines of <<<<<<<, ======= and >>>>>>>";

/** By jsonc-parser's error codes. */
const SYNTAX: Readonly<Record<number, string>> = {
  1: "unexpected text",
  2: "invalid number",
  3: "member name in double quotes expected",
  4: "value expected",
  5: "':' expected",
  6: "',' expected",
  7: "'}' expected",
  8: "']' expected",
  9: "text after the end of the value",
  10: "comments are allowed in *.jsonc files only",
  11: "unterminated comment",
  12: "unterminated string",
  13: "incomplete number",
  14: "invalid Unicode escape",
  15: "invalid escape sequence",
  16: "a control character must be escaped",
};
