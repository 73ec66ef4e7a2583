import type { ValueChange } from "../../diff/compare-values.ts";
import type { JsonValue } from "../../workspace/json.ts";
import { grouped, styled } from "./output.ts";
import { printable } from "./printable.ts";

/** How many characters of a value are shown. */
const LONGEST = 60;

const MARKS = { added: "+", removed: "-", changed: "~" } as const;
const COLOURS = { added: "green", removed: "red", changed: "yellow" } as const;

export function mark({ change }: { change: keyof typeof MARKS }, stream: NodeJS.WriteStream) {
  return styled(COLOURS[change], MARKS[change], stream);
}

/** How many changes of one thing are listed. */
const LISTED = 20;

/** Changes as lines: mark, path, values; long values and lists shortened. */
export function valueLines(
  changes: readonly ValueChange[],
  indent: string,
  stream: NodeJS.WriteStream,
): string[] {
  const listed = changes.slice(0, LISTED);
  const paths = listed.map(({ path }) => shortened(printable(path), 2 * LONGEST));
  const width = widest(paths);
  const lines = listed.map((change, index) => {
    const path = (paths[index] ?? "").padEnd(width);
    return `${indent}${mark(change, stream)} ${path}${width > 0 ? "  " : ""}${values(change)}`;
  });
  const left = changes.length - listed.length;
  return left === 0 ? lines : [...lines, `${indent}… and ${grouped(left)} more`];
}

/** How wide a column of texts is; the longest do not count. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, Math.min(text.length, LONGEST)), 0);
}

function values({ change, before, after }: ValueChange): string {
  if (change === "added") return short(after as JsonValue, 0, 2 * LONGEST);
  if (change === "removed") return short(before as JsonValue, 0, 2 * LONGEST);
  if (typeof before === "string" && typeof after === "string") {
    // Long texts are shown from a little before the place where they part.
    const from = Math.max(0, Math.min(parting(before, after) - 20, before.length, after.length));
    return `${short(before, from)} → ${short(after, from)}`;
  }
  return `${short(before as JsonValue)} → ${short(after as JsonValue)}`;
}

function short(value: JsonValue, from = 0, length = LONGEST): string {
  const isCut = typeof value === "string" && value.length > length && from > 0;
  // No more than is looked at: values may be megabytes.
  const text = isCut ? part(value, from) : value;
  const json = JSON.stringify(typeof text === "string" ? part(text, 0, 2 * length) : text);
  const shown = printable(isCut ? `"…${json.slice(1)}` : json);
  return shortened(shown, length);
}

export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${part(text, 0, length - 1)}…`;
}

/** A part of a text, without half a character at its ends. */
function part(text: string, from: number, to = text.length): string {
  const isLow = (at: number) => /[\udc00-\udfff]/.test(text[at] ?? "");
  return text.slice(isLow(from) ? from + 1 : from, isLow(to) ? to - 1 : to);
}

/** Where two texts begin to differ. */
function parting(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
