import { diffArrays } from "diff";
import { changedText, type MigratedFile, type TextChange } from "./migrate-folder.ts";

/** How many unchanged lines are printed around a change. */
const CONTEXT = 3;
/** A record with more changed lines is replaced as a whole: the time grows with the square. */
const MAX_EDITS = 2000;

/** Lines that are replaced; `line` is the first, from 0. */
interface LineChange {
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** M1: the change of a file as a unified diff, which `git apply` accepts. */
export function unifiedDiff(changed: MigratedFile): string {
  const { file, before } = changed;
  const lines = before.split("\n");
  const endsOpen = lines.at(-1) !== "";
  if (!endsOpen) lines.pop();
  const output = [`--- a/${file}`, `+++ b/${file}`];
  const print = (sign: string, line: string, isLast: boolean) => {
    output.push(sign + line);
    if (isLast && endsOpen) output.push("\\ No newline at end of file");
  };
  let shift = 0;
  for (const hunk of hunksOf(lineChanges(changed))) {
    const [first, last] = [hunk[0] as LineChange, hunk.at(-1) as LineChange];
    const start = Math.max(0, first.line - CONTEXT);
    const end = Math.min(lines.length, last.line + last.removed.length + CONTEXT);
    const more = hunk.reduce((sum, { removed, added }) => sum + added.length - removed.length, 0);
    output.push(`@@ -${start + 1},${end - start} +${start + shift + 1},${end - start + more} @@`);
    shift += more;
    let at = start;
    for (const { line, removed, added } of hunk) {
      for (; at < line; at += 1) print(" ", lines[at] as string, at === lines.length - 1);
      const isEnd = line + removed.length === lines.length;
      for (const [index, text] of removed.entries()) {
        print("-", text, isEnd && index === removed.length - 1);
      }
      for (const [index, text] of added.entries()) {
        print("+", text, isEnd && index === added.length - 1);
      }
      at += removed.length;
    }
    for (; at < end; at += 1) print(" ", lines[at] as string, at === lines.length - 1);
  }
  return `${output.join("\n")}\n`;
}

/** Changes that are near each other, together. */
function hunksOf(changes: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const change of changes) {
    if (change.line - end > 2 * CONTEXT) hunks.push([]);
    hunks.at(-1)?.push(change);
    end = change.line + change.removed.length;
  }
  return hunks;
}

/** Compares only the lines of changed records. */
function lineChanges({ before, changes }: MigratedFile): LineChange[] {
  const found: LineChange[] = [];
  let [line, counted] = [0, 0];
  for (const { start, end, inside } of byLines(before, changes)) {
    for (; counted < start; counted += 1) if (before[counted] === "\n") line += 1;
    const own = before.slice(start, end);
    found.push(
      ...comparedLines(line, own.split("\n"), changedText(own, inside, start).split("\n")),
    );
  }
  return found;
}

interface ChangedLines {
  readonly start: number;
  end: number;
  readonly inside: TextChange[];
}

/** The complete lines of the changes, those on one line together. */
function byLines(before: string, changes: readonly TextChange[]): ChangedLines[] {
  const found: ChangedLines[] = [];
  for (const change of changes) {
    const start = change.start === 0 ? 0 : before.lastIndexOf("\n", change.start - 1) + 1;
    const newline = before.indexOf("\n", change.end);
    const end = newline < 0 ? before.length : newline;
    const last = found.at(-1);
    if (last === undefined || start > last.end) found.push({ start, end, inside: [change] });
    else {
      last.end = end;
      last.inside.push(change);
    }
  }
  return found;
}

function comparedLines(line: number, before: string[], after: string[]): LineChange[] {
  const parts = diffArrays(before, after, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [{ line, removed: before, added: after }];
  const found: LineChange[] = [];
  let at = line;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] as (typeof parts)[number];
    if (!part.added && !part.removed) {
      at += part.value.length;
      continue;
    }
    const other = parts[index + 1];
    const isPair =
      other !== undefined && other.added !== part.added && (other.added || other.removed);
    const both = isPair ? [part, other] : [part];
    const removed = both.find((one) => one.removed)?.value ?? [];
    found.push({ line: at, removed, added: both.find((one) => one.added)?.value ?? [] });
    at += removed.length;
    if (isPair) index += 1;
  }
  return found;
}
