import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamFault } from "../../src/folder/formats/byte-reader.ts";
import { pieces } from "../../src/folder/formats/json-stream.ts";
import { positionIn } from "../../src/folder/formats/position-in.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { randomRuns } from "../support/random-runs.ts";
import { temporaryFolder } from "../support/test-bed.ts";

function fileOf(text: string, path = join(temporaryFolder(), "export.json")): string {
  writeFileSync(path, text);
  return path;
}

/** The object that the pieces of a file are of. */
function joined(path: string, chunkSize: number): JsonValue {
  const members: Record<string, JsonValue> = {};
  for (const { member, index, bytes } of pieces(path, () => true, { chunkSize })) {
    const value: JsonValue = JSON.parse((bytes as Buffer).toString("utf8"));
    if (index === undefined) {
      Object.defineProperty(members, member, { value, enumerable: true, configurable: true });
    } else (members[member] as JsonValue[])[index] = value;
  }
  return members;
}

describe("X6: an export is read value by value", () => {
  it("X6: the values of an object are those of the whole text, wherever a chunk of it ends", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\\", '\\"', "]}", "\ud834\udd1e"),
    );
    const object = fc.dictionary(
      text,
      fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.array(text)),
    );
    const file = join(temporaryFolder(), "export.json");
    fc.assert(
      fc.property(
        object,
        fc.constantFrom("", " ", "\t\r\n"),
        fc.integer({ min: 1, max: 40 }),
        (value, space, size) => {
          const printed = JSON.stringify(value, null, space);
          expect(joined(fileOf(printed, file), size)).toEqual(JSON.parse(printed));
          expect(joined(fileOf(`\ufeff\n${printed}\n`, file), size)).toEqual(JSON.parse(printed));
        },
      ),
      { numRuns: randomRuns(150) },
    );
  });

  it("X6: a list that is not wanted is skipped, and its elements have places", () => {
    const path = fileOf('{"a": [1, {"x": "]"}], "b": [2], "c": 3}');
    expect(
      [...pieces(path, (member) => member === "b")].map(({ member, index, bytes, offset }) => [
        ...[member, index, bytes?.toString(), offset],
      ]),
    ).toEqual([
      ["a", undefined, "[]", 6],
      ["a", 0, undefined, 7],
      ["a", 1, undefined, 10],
      ["b", undefined, "[]", 28],
      ["b", 0, "2", 29],
      ["c", undefined, "3", 38],
    ]);
  });

  it.each([
    ["", 0, "the text ends within a value"],
    ["[]", 0, "it is not a JSON object"],
    ['{"a"', 4, "the text ends within a value"],
    ['{"a" 1}', 5, "':' expected"],
    ['{"a": 1 2}', 8, "',' or '}' expected"],
    ['{"a": [1, 2', 11, "the text ends within a value"],
    ['{"a": [1 2]}', 9, "',' or ']' expected"],
    ['{"a": {"b": [', 13, "the text ends within a value"],
    ['{"a": "b\\', 9, "the text ends within a string"],
    ["{a: 1}", 1, "member name in double quotes expected"],
    ['{"a": 1}}', 8, "text after the end of the value"],
    [`{"a": ${"[".repeat(200)}`, 205, "values are nested more than 200 levels deep"],
  ])("X6: %j is refused at byte %j: %s", (text, offset, message) => {
    for (const chunkSize of [1, 3, 1000]) {
      const read = () => [...pieces(fileOf(text), () => true, { chunkSize })];
      expect(read).toThrow(StreamFault);
      expect(read).toThrow(expect.objectContaining({ offset, message }));
    }
  });

  it("X6: a byte has a line and a column", () => {
    const text = `{"a":\n "ü${"x".repeat(2_000_000)}",\n\n oops`;
    const path = fileOf(text);
    expect(positionIn(path, Buffer.byteLength(text) - 4)).toEqual({ line: 4, column: 2 });
    expect(positionIn(path, 10)).toEqual({ line: 2, column: 4 });
    expect(positionIn(path, 0)).toEqual({ line: 1, column: 1 });
  });
});
