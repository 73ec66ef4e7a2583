import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { faultsIn, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const lines = (...text: readonly string[]) => text.join("\n");

describe("folder: every fault is reported in one run", () => {
  it("folder: with file, line and column, in this order", () => {
    const faults = faultsIn({
      "workspace.json": lines("{", '  "id": "w",', '  "nmae": "W"', "}"),
      "models/b.json": lines(
        "{",
        '  "id": "b", "key": "items", "name": "B",',
        '  "fields": [',
        "]}",
      ),
      "models/a.json": lines(
        "{",
        '  "id": "../a",',
        '  "key": "a", "name": "A", "fields": [',
        '    { "key": "1",',
        '      "type": "text" }, { "key": "t",',
        '      "type": "txet" }',
        "  ]",
        "}",
      ),
      "entries.ndjson": lines(
        '{ "id": "e", "modelId": "m", "data": {} }',
        "",
        '{ "id": "e", }',
        '{ "data": {}, "id": "f", "modelId": 1 }',
        '{ "id": "e", "modelId": "m", "data": {} }',
      ),
      "features.json": lines("[", '  { "id": "f", "key": "f", "name": "F", "type": "txt" }', "]"),
      "assets.json": lines(
        "[",
        '  { "id": "a", "fileName": "a/b",',
        '    "file": "gone.png" }',
        "]",
      ),
      "projects.json": "[ {} ]",
    });
    expect(faults.map((fault) => fault.slice(0, fault.indexOf(" ")))).toEqual([
      "assets.json:2:16",
      "assets.json:3:5",
      "entries.ndjson:3:12",
      "entries.ndjson:4:26",
      "entries.ndjson:5:3",
      "features.json:2:41",
      "models/a.json:2:3",
      "models/a.json:4:7",
      "models/a.json:6:7",
      "models/b.json:2:14",
      "projects.json:1:3",
      "projects.json:1:3",
      "projects.json:1:3",
      "projects.json:1:3",
      "workspace.json:3:3",
    ]);
    expect(new Set(faults).size).toBe(faults.length);
  });

  it("folder: as one error with their number and a hint", () => {
    const folder = workspaceFolder({ "entries.json": [{}] });
    const read = () => [...readFolder(folder)];
    expect(read).toThrow(SvcError);
    expect(read).toThrow(
      expect.objectContaining({
        code: "folder-invalid",
        message: expect.stringContaining("3 faults"),
        hint: expect.stringMatching(/\S/),
      }),
    );
  });
});
