import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { faultsIn, recordsIn, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const COMMENTED = `// A home page.
{
  "id": "e", /* of
  two lines */ "modelId": "m",
  "data": { "url": "https://a.example/*", "list": [1, 2, /* 3 */ ], },
}
`;
const ENTRY = { id: "e", modelId: "m", data: { url: "https://a.example/*", list: [1, 2] } };

describe("W3: *.jsonc files may have comments and trailing commas", () => {
  it("W3: in each place of a *.json file", () => {
    const expected = [{ kind: "entries", record: ENTRY }];
    expect(recordsIn({ "entries/e.jsonc": COMMENTED })).toEqual(expected);
    expect(recordsIn({ "entries/e.json": JSON.stringify(ENTRY) })).toEqual(expected);
    expect(recordsIn({ "entries.jsonc": `[${COMMENTED},]` })).toEqual(expected);
    const folder = workspaceFolder({ "workspace.jsonc": '{ "id": "w", "name": "W", } // end' });
    expect(faultsIn({ "workspace.jsonc": "{}" })).toContainEqual(
      'workspace.jsonc workspace is in "workspace.json" and in "workspace.jsonc"; keep one of the two',
    );
    expect(() => [...readFolder(folder)]).toThrow();
  });

  it("W3: but no *.json or *.ndjson file", () => {
    expect(faultsIn({ "entries/e.json": COMMENTED })).toEqual([
      "entries/e.json:1:1 broken JSON: comments are allowed in *.jsonc files only; remove it, or rename the file",
    ]);
    expect(faultsIn({ "entries/e.json": '{ "id": "e", }' })).toHaveLength(1);
    expect(faultsIn({ "entries.ndjson": `${JSON.stringify(ENTRY)} // end` })).toHaveLength(1);
  });

  it("W3: faults keep their places", () => {
    const text = COMMENTED.replace('"modelId"', '"model"');
    expect(faultsIn({ "entries/e.jsonc": text })).toEqual([
      'entries/e.jsonc:4:16 unknown member "model"; did you mean "modelId"?',
    ]);
    expect(faultsIn({ "entries.jsonc": `[\n${text},]` })).toEqual([
      'entries.jsonc:5:16 unknown member "model"; did you mean "modelId"?',
    ]);
  });

  it.each([
    ["[,]", "remove this comma"],
    ["[1,,]", "remove this comma"],
    ['{ "a":, }', "a value is missing"],
    ['{ "a", }', "this name has no value"],
    ["{ /* }", "the comment is not closed"],
    ['{ "id": "e", "id": "f", }', 'duplicate member "id"'],
    ["{} // x\n {}", "after the end of the record"],
    ["", "the text is empty"],
  ])("W3: %j stays a fault", (text, message) => {
    expect(faultsIn({ "entries/e.jsonc": text })).toEqual([expect.stringContaining(message)]);
  });
});
