import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ExportFile } from "../../src/import/formats/export-file.ts";
import { temporaryFolder } from "../support/test-bed.ts";

function fileOf(text: string, path = join(temporaryFolder(), "export.json")): ExportFile {
  writeFileSync(path, text);
  return new ExportFile(path, { name: "Some", hint: "export it" });
}

describe("X6: a file of an export is one text", () => {
  it.each([
    ["", ":1:1", "broken JSON: the text is empty"],
    ["[]", "", "it is not a JSON object"],
    ['{"a":\n [1, 2', ":2:2", 'broken JSON: this "[" is never closed'],
    ['{"ü": [1 2]}', ":1:10", "broken JSON: a comma is missing"],
    [
      `{"a": ${"[".repeat(200)}${"]".repeat(200)}}`,
      "",
      "values are nested more than 200 levels deep",
    ],
  ])("X6: %j is refused at %j: %s", (text, place, message) => {
    const file = fileOf(text);
    const refused = () => file.object();
    expect(refused).toThrow(expect.objectContaining({ code: "export-invalid" }));
    expect(refused).toThrow(`${file.path}${place}`);
    expect(refused).toThrow(message);
  });

  it("X6: values may be nested up to 200 levels deep, behind a byte order mark", () => {
    const deep = `{"a":${"[".repeat(199)}${"]".repeat(199)}}`;
    expect(fileOf(`\ufeff${deep}\n`).object()).toEqual(JSON.parse(deep));
  });

  it.each([2 ** 29, 2 ** 31 + 1])(
    "X6: a file of %i bytes is refused, and the hint says what to do",
    (size) => {
      const { path } = fileOf("");
      truncateSync(path, size);
      expect(() => new ExportFile(path, { name: "Some", hint: "" })).toThrow(
        expect.objectContaining({
          code: "export-invalid",
          message: `"${path}" is larger than 512 MiB`,
          hint: expect.stringContaining("several files"),
        }),
      );
    },
  );
});
