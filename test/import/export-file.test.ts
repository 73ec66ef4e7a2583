import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExportFile, positionIn } from "../../src/import/formats/export-file.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { randomRuns } from "../support/random-runs.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { anyText } from "../support/workspaces/random-scalars.ts";

function fileOf(text: string, path = join(temporaryFolder(), "export.json")): ExportFile {
  writeFileSync(path, text);
  return new ExportFile(path, { name: "Some", hint: "export it" });
}

/** The object that the values of a file are of. */
function joined(file: ExportFile): JsonValue {
  const members: Record<string, JsonValue> = {};
  for (const slice of file.values()) {
    const [value, { member, index }] = [file.checked(slice), slice];
    if (index === undefined) {
      Object.defineProperty(members, member, { value, enumerable: true, configurable: true });
    } else (members[member] as JsonValue[])[index] = value;
  }
  return members;
}

describe("X6: an export is split into its values", () => {
  it("X6: the values of an object are those of the whole text", () => {
    const text = fc.oneof(anyText({}), fc.constantFrom("\\", '\\"', "]}", "\ud834\udd1e"));
    // V8 13.6 reads a member named by one escape as "\\" when it has just seen one of that name.
    const name = text.filter((one) => one !== "\\");
    const object = fc.dictionary(
      name,
      fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.array(text)),
    );
    const space = fc.constantFrom("", " ", "\t\r\n");
    const path = join(temporaryFolder(), "export.json");
    const property = fc.property(object, space, (value, space) => {
      const printed = JSON.stringify(value, null, space);
      for (const text of [printed, `\ufeff\n${printed}\n`]) {
        expect(joined(fileOf(text, path))).toEqual(JSON.parse(printed));
      }
    });
    fc.assert(property, { numRuns: randomRuns(150) });
  });

  it.each([
    ["", "1:1", "broken JSON: the text ends within a value"],
    ["[]", "", "it is not a JSON object"],
    ['{"a"', "1:5", "broken JSON: the text ends within a value"],
    ['{"a" 1}', "1:6", "broken JSON: ':' expected"],
    ['{"a": 1 2}', "1:9", "broken JSON: ',' or '}' expected"],
    ['{"a":\n [1, 2', "2:7", "broken JSON: the text ends within a value"],
    ['{"ü": [1 2]}', "1:10", "broken JSON: ',' or ']' expected"],
    ['{"a": [x, 2]}', "1:8", 'broken JSON: a text is in double quotes: "x"'],
    ['{"a": {"b": [', "1:14", "broken JSON: the text ends within a value"],
    ['{"a": "b\\', "1:10", "broken JSON: the text ends within a string"],
    ["{a: 1}", "1:2", "broken JSON: member name in double quotes expected"],
    ['{"a": 1}}', "1:9", "broken JSON: text after the end of the value"],
    [`{"a": ${"[".repeat(200)}`, "1:206", "values are nested more than 200 levels deep"],
  ])("X6: %j is refused at %j: %s", (text, place, message) => {
    const file = fileOf(text);
    const { path } = file;
    const where = place === "" ? `"${path}" is not a Some export` : `${path}:${place}`;
    expect(() => joined(file)).toThrow(
      expect.objectContaining({ code: "export-invalid", message: `${where}: ${message}` }),
    );
  });

  it("X6: values may be nested up to 200 levels deep", () => {
    const deep = `{"a":${"[".repeat(199)}${"]".repeat(199)}}`;
    expect(joined(fileOf(deep))).toEqual(JSON.parse(deep));
  });

  it("X6: a byte has a line and a column, in UTF-16 units", () => {
    const bytes = Buffer.from('\ufeff{"a":\n "ü\ud834\udd1e",\n\n oops');
    expect(positionIn(bytes, bytes.length - 4)).toEqual({ line: 4, column: 2 });
    expect(positionIn(bytes, bytes.indexOf(",\n\n"))).toEqual({ line: 2, column: 7 });
    expect(positionIn(bytes, 3)).toEqual({ line: 1, column: 1 });
  });

  it("X6: a file of more than 2 GiB is refused, and the hint says what to do", () => {
    const { path } = fileOf("");
    truncateSync(path, 2 ** 31 + 1);
    expect(() => new ExportFile(path, { name: "Some", hint: "" })).toThrow(
      expect.objectContaining({
        code: "export-invalid",
        message: `"${path}" is larger than 2 GiB`,
        hint: expect.stringContaining("several files"),
      }),
    );
  });
});
