import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  copyOf,
  FilePart,
  lineAfter,
  linesIn,
  spliced,
  withEnds,
} from "../../src/folder/edit/file-lines.ts";
import { randomRuns } from "../support/random-runs.ts";

const texts = fc
  .tuple(
    fc.constantFrom("", "\ufeff"),
    fc.array(fc.constantFrom("", "a", "bé", "ccc ", "😀"), { maxLength: 8 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([mark, lines, eol, hasEnd]) => mark + lines.join(eol) + (hasEnd ? eol : ""));

/** The bytes in chunks of so many, which begin again when they are used up; all in the same memory. */
function* chunked(text: string, sizes: readonly number[]): Generator<Buffer> {
  const bytes = Buffer.from(text);
  const memory = Buffer.alloc(7);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number;
    yield memory.subarray(0, bytes.copy(memory, 0, at, at + size));
    at += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 });
const linesOf = (text: string, by: readonly number[]) =>
  Array.from(linesIn(chunked(text, by)), (line) => line && copyOf(line)).flatMap(
    (line) => line ?? [],
  );
const withPart = (text: string, by: readonly number[], before: FilePart, after: FilePart) =>
  Buffer.concat(
    Array.from(spliced("f", chunked(text, by), before, after), (one) => Buffer.from(one)),
  ).toString();

describe("H42f: a file of lines in parts", () => {
  it("H42f: has the lines that its text has, wherever it is cut", () => {
    fc.assert(
      fc.property(texts, sizes, (text, by) => {
        const lines = linesOf(text, by);
        const all = text.replace(/^\ufeff/, "").split("\n");
        if (all.at(-1) === "" && (all.length > 1 || text === "")) all.pop();
        expect(lines.map(({ bytes }) => bytes?.toString())).toEqual(all);
        for (const { at, bytes = Buffer.alloc(0) } of lines) {
          expect(Buffer.from(text).subarray(at, at + bytes.length)).toEqual(bytes);
        }
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it("H42f: gets another line, loses one, and is as before after an undo", () => {
    fc.assert(
      fc.property(texts, sizes, sizes, fc.nat(), (text, by, other, nth) => {
        const lines = linesOf(text, by);
        const line = lines[nth % Math.max(1, lines.length)];
        const own = line?.bytes?.toString() ?? "";
        const begin = Buffer.from(text).subarray(0, line?.at).toString();
        const rest = text.slice(begin.length + own.length);
        const changes: [before: FilePart, after: FilePart, expected: string][] = [];
        if (line !== undefined) {
          const before = new FilePart(line.at, line.bytes as Buffer);
          changes.push([before, new FilePart(line.at, Buffer.from("new")), `${begin}new${rest}`]);
          const removed = withEnds(line);
          const left = line.end === 1 ? begin + rest.slice(1) : begin.replace(/\r?\n$/, "") + rest;
          changes.push([removed, new FilePart(removed.at, Buffer.alloc(0)), left]);
        }
        const added = lineAfter(line, "new");
        const kept = own.trimEnd();
        const eol = kept === "" ? "" : text.includes("\r\n") ? "\r\n" : "\n";
        const after = text.slice(begin.length + kept.length) || "\n";
        changes.push([added.before, added.after, `${begin}${kept}${eol}new${after}`]);
        for (const [before, next, expected] of changes) {
          expect(withPart(text, other, before, next)).toBe(expected);
          expect(withPart(expected, by, next, before)).toBe(text);
          expect(() => withPart(`${expected} `, by, next, before)).toThrow("was changed meanwhile");
        }
      }),
      { numRuns: randomRuns(500) },
    );
  });
});
