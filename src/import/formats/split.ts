import { TOO_DEEP } from "../../folder/json-text.ts";
import { MAXIMUM_NESTING } from "../../workspace/json.ts";

/** A value of the top-level object of a JSON file, or an element of one of its lists. */
export interface Piece {
  /** The member of the top-level object; empty where the file is a list. */
  readonly member: string;
  /** Of an element; undefined: the member's whole value, and of a list what is before its elements. */
  readonly index?: number;
  readonly isList?: true;
  /** The offsets of its bytes. */
  readonly start: number;
  readonly end: number;
}

/** A text that is no JSON object; `offset` is that of the byte where it stops being one. */
export class SplitFault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

export const NOT_UTF8 = "it is not UTF-8";
export const NO_OBJECT = "it is not a JSON object";
const ENDS_EARLY = "the text ends within a value";

const BYTE = {
  '"': 0x22,
  "\\": 0x5c,
  ",": 0x2c,
  ":": 0x3a,
  "[": 0x5b,
  "]": 0x5d,
  "{": 0x7b,
  "}": 0x7d,
};

const isSpace = (byte?: number) => byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13);

/** Where a text or an object begins: a byte order mark may be in front. */
export const startOf = (bytes: Uint8Array) => (bytes[0] === 0xef && bytes[1] === 0xbb ? 3 : 0);

/**
 * Splits the top-level object (or list) of a JSON file into its values. It only finds where values end:
 * whether each one is JSON is left to a parser.
 *
 * @throws SplitFault.
 */
export function* split(bytes: Buffer, { mayBeList = false } = {}): Generator<Piece> {
  let at = startOf(bytes);
  const first = next();
  if (mayBeList && first === BYTE["["]) yield* values("", 0);
  else {
    if (first !== undefined && first >= 0x80) throw fault(NOT_UTF8);
    if (first !== BYTE["{"]) throw fault(NO_OBJECT);
    yield* separated(BYTE["}"], members);
  }
  if (next() !== undefined) throw fault("text after the end of the value");

  /** The next byte that is no white space; undefined: the end. */
  function next(): number | undefined {
    while (isSpace(bytes[at])) at += 1;
    return bytes[at];
  }

  function fault(message: string): SplitFault {
    return new SplitFault(at, at < bytes.length ? message : ENDS_EARLY);
  }

  /** What is between the bracket at `at` and its end, separated by commas. */
  function* separated(end: number, each: () => Generator<Piece>): Generator<Piece> {
    at += 1;
    for (let byte = next() === end ? end : undefined; byte !== end; ) {
      yield* each();
      byte = next();
      if (byte !== BYTE[","] && byte !== end) {
        throw fault(`',' or '${String.fromCharCode(end)}' expected`);
      }
      if (byte !== end) at += 1;
    }
    at += 1;
  }

  function* members(): Generator<Piece> {
    if (next() !== BYTE['"']) throw fault("member name in double quotes expected");
    const start = at;
    at = endOf(bytes, at, 1);
    let name: string;
    try {
      name = JSON.parse(bytes.toString("utf8", start, at));
    } catch {
      throw fault("member name expected");
    }
    if (next() !== BYTE[":"]) throw fault("':' expected");
    at += 1;
    next();
    yield* values(name, 1);
  }

  function* values(member: string, depth: number): Generator<Piece> {
    const start = at;
    if (bytes[at] !== BYTE["["]) {
      at = endOf(bytes, at, depth);
      yield { member, start, end: at };
      return;
    }
    yield { member, isList: true, start, end: at + 1 };
    let index = 0;
    yield* separated(BYTE["]"], function* () {
      next();
      const start = at;
      at = endOf(bytes, at, depth + 1);
      yield { member, index, start, end: at };
      index += 1;
    });
  }
}

/** Where the value ends that begins at `at`, in so many objects and lists. */
function endOf(bytes: Buffer, start: number, outside: number): number {
  const isNested = bytes[start] === BYTE["{"] || bytes[start] === BYTE["["];
  if (bytes[start] === BYTE['"']) return endOfText(bytes, start);
  let at = start;
  if (!isNested) {
    const ends = (byte: number) =>
      isSpace(byte) || byte === BYTE[","] || byte === BYTE["]"] || byte === BYTE["}"];
    while (at < bytes.length && !ends(bytes[at] as number)) at += 1;
    return at;
  }
  let depth = outside;
  do {
    if (at >= bytes.length) throw new SplitFault(bytes.length, ENDS_EARLY);
    switch (bytes[at]) {
      case BYTE['"']:
        at = endOfText(bytes, at);
        continue;
      case BYTE["{"]:
      case BYTE["["]:
        depth += 1;
        if (depth > MAXIMUM_NESTING) throw new SplitFault(at, TOO_DEEP.message);
        break;
      case BYTE["}"]:
      case BYTE["]"]:
        depth -= 1;
    }
    at += 1;
  } while (depth > outside);
  return at;
}

function endOfText(bytes: Buffer, start: number): number {
  const { length } = bytes;
  let at = start + 1;
  // An escaped byte is never the end of the text.
  for (; at < length && bytes[at] !== BYTE['"']; at += 1) if (bytes[at] === BYTE["\\"]) at += 1;
  if (at >= length) throw new SplitFault(length, "the text ends within a string");
  return at + 1;
}
