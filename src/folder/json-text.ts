import jsonc, { type Node, type ParseError } from "jsonc-parser";
import type { JsonValue } from "../workspace/json.ts";

/** A place in a text, line and column from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface TextFault extends Partial<Place> {
  readonly message: string;
}

/** Deeper values are refused: many readers of JSON would fail on them. */
const MAXIMUM_NESTING = 200;

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
    const faults = syntaxFaults(text);
    return { faults: faults.length > 0 ? faults : [{ message: (error as Error).message }] };
  }
  const { members, tooDeep } = measure(value, 0);
  if (tooDeep) return { faults: [TOO_DEEP] };
  if (!mayLose(text, members)) return { value };
  const faults = losses(text);
  return faults.length > 0 ? { faults } : { value };
}

const TOO_DEEP = { message: `values are nested more than ${MAXIMUM_NESTING} levels deep` };

/**
 * A function that tells where the value at a path stands in a text that has been parsed (a member
 * begins with its name); of a path that leads nowhere, the last place on the way.
 */
export function locator(text: string): (path: readonly (string | number)[]) => Place | undefined {
  const root = jsonc.parseTree(text);
  const placeOf = placer(text);
  return (path) => {
    let node = root;
    for (const segment of path) {
      const next: Node | undefined = node && jsonc.findNodeAtLocation(node, [segment]);
      if (next === undefined) break;
      node = next;
    }
    const named = node?.parent?.type === "property" ? node.parent : node;
    return named && placeOf(named.offset);
  };
}

function placer(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

function syntaxFaults(text: string): TextFault[] {
  if (nestingOf(text) > MAXIMUM_NESTING) return [TOO_DEEP];
  const errors: ParseError[] = [];
  jsonc.parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return [];
  // One slip makes a parser stumble several times; the first place is where to look.
  const message = `broken JSON: ${SYNTAX[first.error] ?? "unexpected text"}`;
  return [{ message, ...placer(text)(first.offset) }];
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

/** Whether many readers of JSON would fail on a value. */
export function nestsTooDeep(value: JsonValue): boolean {
  return measure(value, 0).tooDeep;
}

function measure(value: JsonValue, depth: number): { members: number; tooDeep: boolean } {
  if (typeof value !== "object" || value === null) return { members: 0, tooDeep: false };
  if (depth >= MAXIMUM_NESTING) return { members: 0, tooDeep: true };
  const inner: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
  const sum = { members: Array.isArray(value) ? 0 : inner.length, tooDeep: false };
  for (const element of inner) {
    const { members, tooDeep } = measure(element, depth + 1);
    sum.members += members;
    sum.tooDeep ||= tooDeep;
  }
  return sum;
}

/** By jsonc-parser's kinds of tokens: braces, brackets, the end of the text. */
const OPENING: ReadonlySet<number> = new Set([1, 3]);
const CLOSING: ReadonlySet<number> = new Set([2, 4]);
const END = 17;

/** How deep brackets are nested, token by token: for texts too deep for a recursive parser. */
function nestingOf(text: string): number {
  const scanner = jsonc.createScanner(text);
  let depth = 0;
  let deepest = 0;
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (OPENING.has(token)) deepest = Math.max(deepest, ++depth);
    else if (CLOSING.has(token)) depth = Math.max(0, depth - 1);
  }
  return deepest;
}

/**
 * Whether `losses` has to look: cheap, never wrongly false. A quote before a colon ends a
 * member's name, or stands escaped in a string; so more of them than members may be duplicates.
 */
function mayLose(text: string, members: number): boolean {
  if (/\d{16}|\d[eE][+-]?\d{2}/.test(text)) return true;
  let names = 0;
  for (const _ of text.matchAll(/"\s*:/g)) names += 1;
  return names !== members;
}

function losses(text: string): TextFault[] {
  // Of a doubled member, only the last was measured.
  if (nestingOf(text) > MAXIMUM_NESTING) return [TOO_DEEP];
  const root = jsonc.parseTree(text);
  const placeOf = placer(text);
  const faults: TextFault[] = [];
  const visit = (node: Node): void => {
    if (node.type === "object") {
      const seen = new Set<string>();
      for (const property of node.children ?? []) {
        const name: string = property.children?.[0]?.value;
        if (seen.has(name)) {
          faults.push({ message: `duplicate member "${name}"`, ...placeOf(property.offset) });
        }
        seen.add(name);
      }
    }
    if (node.type === "number") {
      const digits = text.slice(node.offset, node.offset + node.length);
      if (losesValue(digits)) {
        const shown = digits.length > 40 ? `${digits.slice(0, 40)}…` : digits;
        const message = `the number ${shown} cannot be held exactly; write it as a string`;
        faults.push({ message, ...placeOf(node.offset) });
      }
    }
    for (const child of node.children ?? []) visit(child);
  };
  if (root !== undefined) visit(root);
  return faults;
}

/** A number out of a double's range at either end, or an integer that would be written with other digits. */
function losesValue(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(digits.split(/[eE]/)[0] ?? ""))) {
    return true;
  }
  if (!/^-?\d+$/.test(digits) || String(value) === digits) return false;
  return BigInt(digits) !== BigInt(value);
}
