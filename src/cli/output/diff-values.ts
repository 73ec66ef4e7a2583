import type { ValueChange } from "../../diff/compare-values.ts";
import type { JsonValue } from "../../workspace/json.ts";
import { grouped } from "./counted.ts";
import { printable } from "./printable.ts";
import { styled } from "./styled.ts";

/** The longest value, in characters; twice as much where there is only one. */
const MAX_LENGTH = 60;

const MARKS = { added: "+", removed: "-", changed: "~" } as const;
const COLOURS = { added: "green", removed: "red", changed: "yellow" } as const;

export function mark({ change }: { change: keyof typeof MARKS }, stream: NodeJS.WriteStream) {
  return styled(COLOURS[change], MARKS[change], stream);
}

/** How many changes of one record are listed. */
const MAX_CHANGES = 20;

/** Changes as lines: mark, path, values. Long values and long lists are shortened. */
export function valueLines(
  changes: readonly ValueChange[],
  indent: string,
  stream: NodeJS.WriteStream,
): string[] {
  const listed = changes.slice(0, MAX_CHANGES);
  const paths = listed.map(({ path }) => shortened(printable(path), 2 * MAX_LENGTH));
  const width = widest(paths);
  const lines = listed.map((change, index) => {
    const path = (paths[index] ?? "").padEnd(width);
    return `${indent}${mark(change, stream)} ${path}${width > 0 ? "  " : ""}${values(change)}`;
  });
  const left = changes.length - listed.length;
  return left === 0 ? lines : [...lines, `${indent}… and ${grouped(left)} more`];
}

/** The width of a column of texts, at most MAX_LENGTH. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, Math.min(text.length, MAX_LENGTH)), 0);
}

function values({ change, before, after }: ValueChange): string {
  if (change === "added") return short(after as JsonValue, 0, 2 * MAX_LENGTH);
  if (change === "removed") return short(before as JsonValue, 0, 2 * MAX_LENGTH);
  if (typeof before === "string" && typeof after === "string") {
    // Long texts are shown from shortly before their first difference.
    const from = Math.max(
      0,
      Math.min(firstDifference(before, after) - 20, before.length, after.length),
    );
    return `${short(before, from)} → ${short(after, from)}`;
  }
  return `${short(before as JsonValue)} → ${short(after as JsonValue)}`;
}

function short(value: JsonValue, from = 0, length = MAX_LENGTH): string {
  const isCut = typeof value === "string" && value.length > length && from > 0;
  // Truncated before it is escaped: values may be megabytes.
  const text = isCut ? part(value, from) : value;
  const json = JSON.stringify(typeof text === "string" ? part(text, 0, 2 * length) : text);
  const shown = printable(isCut ? `"…${json.slice(1)}` : json);
  return shortened(shown, length);
}

export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${part(text, 0, length - 1)}…`;
}

/** A slice of a text that does not split surrogate pairs. */
function part(text: string, from: number, to = text.length): string {
  const isLow = (at: number) => /[\udc00-\udfff]/.test(text[at] ?? "");
  return text.slice(isLow(from) ? from + 1 : from, isLow(to) ? to - 1 : to);
}

/** The index at which two texts begin to differ. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
