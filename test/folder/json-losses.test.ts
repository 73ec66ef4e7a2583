import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonText } from "../../src/folder/json-text.ts";
import { ROOT } from "../support/compiler.ts";
import { randomRuns } from "../support/random-runs.ts";

/** A part of a JSON text, and the messages of the faults at its start. */
type Piece = readonly [text: string, faults?: readonly string[]];

const cannotBeHeld = (digits: string) =>
  `the number ${digits} cannot be represented exactly${Number.isFinite(Number(digits)) ? "" : ", as it is beyond 1.8e308"}; write it as a string`;
const lost = ["9007199254740993", "-12345678901234567890", "1e400", "1e-400", "-1E+309"];
const kept = [
  "0",
  "-0",
  "0e-400",
  "1.50",
  "1e20",
  "9007199254740992",
  "5e-324",
  "0.1234567890123456789",
];
const texts = ["null", '""', '"9007199254740993"', '"\\"a\\":1,\\"a\\":1"', '"{[\\\\"', '":"'];

/** Member names as written, some of which are equal. */
const names = ['"a"', '"\\u0061"', '"__proto__"', '"1"', '":"', '"\\""', '"{"'];

const space = fc.constantFrom("", " ", "\n", "\r\n\t");
const { value } = fc.letrec<{ value: Piece[]; member: [string, string, string, Piece[]] }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.constantFrom(...lost).map((digits): Piece[] => [[digits, [cannotBeHeld(digits)]]]),
      fc.constantFrom(...kept, ...texts).map((text): Piece[] => [[text]]),
      fc.array(fc.tuple(space, tie("value")), { maxLength: 4 }).map((items) =>
        listOf(
          "[]",
          items.map(([before, item]) => [[before], ...item]),
        ),
      ),
      fc.array(tie("member"), { maxLength: 4 }).map((members) => listOf("{}", membersOf(members))),
    ),
    member: fc.tuple(space, fc.constantFrom(...names), space, tie("value")),
  }),
);

function listOf([open = "", close = ""]: string, items: Piece[][]): Piece[] {
  const parts = items.flatMap((item, index): Piece[] => (index === 0 ? item : [[","], ...item]));
  return [[open], ...parts, ["\n"], [close]];
}

function membersOf(members: readonly [string, string, string, Piece[]][]): Piece[][] {
  const seen = new Set<string>();
  return members.map(([before, written, after, piece]) => {
    const name: string = JSON.parse(written);
    const faults = seen.has(name) ? [`duplicate member "${name}"`] : [];
    seen.add(name);
    return [[before], [written, faults], [after], [":"], ...piece];
  });
}

/** The text of the pieces, and its faults with their positions. */
function printed(pieces: readonly Piece[]) {
  let text = "";
  const faults: object[] = [];
  for (const [piece, messages = []] of pieces) {
    const line = text.split("\n").length;
    const column = text.length - text.lastIndexOf("\n");
    faults.push(...messages.map((message) => ({ message, line, column })));
    text += piece;
  }
  return { text, faults };
}

describe("JSON of which JSON.parse would lose something", () => {
  it.each([
    ["exactly what would be lost is reported, with its position", true],
    ["where nothing would be lost, nothing is reported", false],
  ])("folder: %s", (_title, isLossy) => {
    fc.assert(
      fc.property(value, (pieces) => {
        const { text, faults } = printed(pieces);
        fc.pre(faults.length > 0 === isLossy);
        expect(parseJsonText(text)).toEqual(isLossy ? { faults } : { value: JSON.parse(text) });
      }),
      { numRuns: randomRuns(1500), maxSkipsPerRun: 1000 },
    );
  });

  it("folder: values of duplicate members must not be nested too deeply either", () => {
    const nested = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)},"a":1}`;
    const duplicate = { message: 'duplicate member "a"', line: 1 };
    expect(parseJsonText(nested(199))).toEqual({ faults: [{ ...duplicate, column: 405 }] });
    for (const levels of [200, 100_000]) {
      expect(parseJsonText(nested(levels))).toEqual({
        faults: [{ message: "values are nested more than 200 levels deep" }],
      });
    }
  });

  it("folder: a text with losses needs the memory of its value, and no syntax tree", () => {
    const script = `
      import { parseJsonText } from ${JSON.stringify(join(ROOT, "src/folder/json-text.ts"))};
      const text = "[" + '{"a":1,"b":[true]},'.repeat(150_000) + "12345678901234567890]";
      console.log(JSON.stringify(parseJsonText(text)));`;
    // The text has 3 MB; its value takes 20 MB, a tree of it 125 MB.
    const args = ["--max-old-space-size=64", "--input-type=module", "--eval", script];
    const parsed = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
    const message = cannotBeHeld("12345678901234567890");
    expect(parsed).toEqual({ faults: [{ message, line: 1, column: 2_850_002 }] });
  });
});
