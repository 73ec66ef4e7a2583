import jsonc, { type Node } from "jsonc-parser";
import { type JsonValue, MAXIMUM_NESTING } from "../workspace/json.ts";
import { jsonMistake } from "./json-mistakes.ts";
import { type Position, positionFinder, TOKEN_KIND } from "./text-positions.ts";

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
  // Too deep for a recursive parser.
  if (findLosses(text)[0] === TOO_DEEP) return TOO_DEEP;
  const mistake = jsonMistake(text, isJsonc);
  if (mistake === undefined) return undefined;
  return { message: `broken JSON: ${mistake.message}`, ...positionFinder(text)(mistake.offset) };
}

/** W5: the conflicts that Git left in a text, each at its first line; in a line of NDJSON, at each of its lines. */
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

interface TextFault extends Partial<Position> {
  /** Of the fault in a folder, if it is not `json-invalid`. */
  readonly code?: "merge-conflict";
  readonly message: string;
}

/** W9: in bytes; V8 has no text of more than 512 MiB. */
export const MAXIMUM_TEXT = 256 * 2 ** 20;

export const TOO_LARGE = "is larger than 256 MiB, the most that one text of JSON may have";

export const TOO_DEEP: TextFault = {
  message: `values are nested more than ${MAXIMUM_NESTING} levels deep`,
};

/** Statistics of a parsed value, from which `mayLoseData` decides whether its text has to be scanned. */
class ParsedValue {
  members = 0;
  tooDeep = false;
  /** Whether a number is 0 or above 2^53, so that it may have been written with other digits. */
  hasUnsafeNumber = false;

  constructor(value: JsonValue) {
    this.#inspect(value, 0);
  }

  #inspect(value: JsonValue, depth: number): void {
    if (typeof value === "number") {
      this.hasUnsafeNumber ||= value === 0 || Math.abs(value) > Number.MAX_SAFE_INTEGER;
    } else if (typeof value === "object" && value !== null) {
      if (depth >= MAXIMUM_NESTING) this.tooDeep = true;
      else if (Array.isArray(value)) for (const one of value) this.#inspect(one, depth + 1);
      else this.#inspectMembers(value as Readonly<Record<string, JsonValue>>, depth);
    }
  }

  #inspectMembers(value: Readonly<Record<string, JsonValue>>, depth: number): void {
    // `Object.values` takes 1.4 times as long; a parsed object has no inherited members.
    for (const name in value) {
      this.members += 1;
      this.#inspect(value[name] as JsonValue, depth + 1);
    }
  }
}

/**
 * Whether `findLosses` has to scan a parsed text: a cheap test without false negatives. A quote
 * before a colon ends a member name or is escaped in a string; if there are more of them than
 * members, some members may be duplicates.
 */
function mayLoseData(text: string, { members, hasUnsafeNumber }: ParsedValue): boolean {
  return (hasUnsafeNumber && /\d{16}|\d[eE][+-]?\d{2}/.test(text)) || countNames(text) !== members;
}

/** The number of colons after a quote; takes a quarter of the time of `matchAll`. */
function countNames(text: string): number {
  let names = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= SPACE) before -= 1;
    if (text.charCodeAt(before) === QUOTE) names += 1;
  }
  return names;
}

const SPACE = 0x20;
const QUOTE = 0x22;

/**
 * What `JSON.parse` silently loses of a valid text: all but the last of duplicate members, and
 * digits of numbers that a double cannot represent. Works on tokens, so it only needs memory for
 * the member names of open objects.
 */
function findLosses(text: string): TextFault[] {
  const scanner = jsonc.createScanner(text, true);
  const faults: TextFault[] = [];
  let placeOf: ReturnType<typeof positionFinder> | undefined;
  const add = (message: string) => {
    placeOf ??= positionFinder(text);
    faults.push({ message, ...placeOf(scanner.getTokenOffset()) });
  };
  /** The member names of each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = [];
  /** The names of the current object, while a member name is expected. */
  let names: Set<string> | undefined;
  for (let token: number = scanner.scan(); token !== TOKEN_KIND.end; token = scanner.scan()) {
    switch (token) {
      case TOKEN_KIND.openBrace:
      case TOKEN_KIND.openBracket:
        names = token === TOKEN_KIND.openBrace ? new Set() : undefined;
        // The parsed value does not show the depth of duplicate members but the last.
        if (open.push(names) > MAXIMUM_NESTING) return [TOO_DEEP];
        break;
      case TOKEN_KIND.closeBrace:
      case TOKEN_KIND.closeBracket:
        open.pop();
        names = undefined;
        break;
      case TOKEN_KIND.comma:
        names = open.at(-1);
        break;
      case TOKEN_KIND.colon:
        names = undefined;
        break;
      case TOKEN_KIND.string: {
        if (names === undefined) break;
        const name = scanner.getTokenValue();
        if (names.has(name)) add(`duplicate member "${name}"`);
        names.add(name);
        break;
      }
      case TOKEN_KIND.number: {
        const digits = scanner.getTokenValue();
        if (!losesValue(digits)) break;
        const shown = digits.length > 40 ? `${digits.slice(0, 40)}…` : digits;
        add(
          Number.isFinite(Number(digits))
            ? `the number ${shown} cannot be represented exactly; write it as a string`
            : `the number ${shown} cannot be represented exactly, as it is beyond 1.8e308; write it as a string`,
        );
      }
    }
  }
  return faults;
}

/** Whether a number overflows or underflows a double, or is an integer that changes its digits. */
function losesValue(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(digits.split(/[eE]/)[0] ?? ""))) {
    return true;
  }
  if (!/^-?\d+$/.test(digits) || String(value) === digits) return false;
  return BigInt(digits) !== BigInt(value);
}
