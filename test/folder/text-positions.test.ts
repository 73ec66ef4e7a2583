import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueLocator } from "../../src/folder/text-positions.ts";
import { ROOT } from "../support/compiler.ts";
import { randomRuns } from "../support/random-runs.ts";

const space = fc.constantFrom("", " ", "\n", "\r\n\t");
const scalar = fc.constantFrom("1", "null", '"],[{"', '"\\"}"', "[]", "{}", "[[1,{}],2]");
const records = fc.array(fc.tuple(space, space, scalar, space, scalar, space), { maxLength: 6 });

/** The position after a text. */
function endOf(text: string) {
  return { line: text.split("\n").length, column: text.length - text.lastIndexOf("\n") };
}

describe("the position of a fault in an array of records", () => {
  it("folder: is that of the record, of the member's name, or of an element in a member", () => {
    fc.assert(
      fc.property(records, space, (all, outer) => {
        const expected: [(string | number)[], object][] = [];
        let text = `${outer}[`;
        for (const [index, [a, b, first, c, second, d]] of all.entries()) {
          text += `${index > 0 ? "," : ""}${a}`;
          expected.push([[index], endOf(text)]);
          text += `{${b}`;
          expected.push([[index, "m"], endOf(text)]);
          text += `"m":[${first},${c}`;
          expected.push([[index, "m", 1], endOf(text)], [[index, "m", 1, "x", 7], endOf(text)]);
          text += `${second}${d}]${a}}${d}`;
        }
        text += `]${outer}`;
        const placeOf = valueLocator(text);
        for (const [path, place] of [...expected, ...expected.reverse()]) {
          expect(placeOf(path), `${path} in ${text}`).toEqual(place);
        }
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it("folder: is found without a syntax tree of the complete array", () => {
    const script = `
      import { valueLocator } from ${JSON.stringify(join(ROOT, "src/folder/text-positions.ts"))};
      const text = "[" + '{"a":1,"b":[true]},'.repeat(300_000) + "0]";
      console.log(JSON.stringify(valueLocator(text)([299_999, "b", 0])));`;
    const args = ["--max-old-space-size=40", "--input-type=module", "--eval", script];
    const position = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
    expect(position).toEqual({ line: 1, column: 299_999 * 19 + 2 + 12 });
  });
});
