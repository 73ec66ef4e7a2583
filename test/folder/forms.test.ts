import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { KINDS } from "../../src/workspace/records.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import {
  faultsIn,
  faultsOf,
  recordsIn,
  workspaceFolder,
} from "../support/workspaces/workspace-folder.ts";

const entry = (id: string, text = "Grüße") => ({ id, modelId: "m", data: { text } });
const AB = [entry("a"), entry("b")];
const AS_RECORDS = AB.map((record) => ({ kind: "entries", record }));
const line = (record: object) => `${JSON.stringify(record)}\n`;

describe("the three forms of a kind", () => {
  it("folder: every kind may have each form, and a workspace may use all three", () => {
    const records = {
      models: { id: "m", key: "m", name: "M", fields: [] },
      blocks: { id: "b", key: "b", name: "B", category: "c", fields: [] },
      features: { id: "f", key: "f", name: "F", type: "boolean" },
      projects: { id: "p", name: "P", steps: [], experiences: [] },
      entries: entry("e"),
      assets: { id: "a", fileName: "a.png", mimeType: "image/png", url: "https://a.example" },
    };
    const array = KINDS.map((kind) => [`${kind}.json`, [records[kind]]]);
    const lines = KINDS.map((kind) => [`${kind}.ndjson`, line(records[kind])]);
    const folders = KINDS.map((kind) => [`${kind}/any/name.json`, records[kind]]);
    const expected = recordsIn(Object.fromEntries(array));
    expect(expected.map(({ kind }) => kind)).toEqual([...KINDS]);
    expect(recordsIn(Object.fromEntries(lines))).toEqual(expected);
    expect(recordsIn(Object.fromEntries(folders))).toEqual(expected);
    const mixed = KINDS.map((_, index) => [array, lines, folders][index % 3]?.[index] ?? []);
    expect(recordsIn(Object.fromEntries(mixed))).toEqual(expected);
  });

  it("folder: a missing or empty kind has no records", () => {
    expect(recordsIn({})).toEqual([]);
    expect(recordsIn({ "entries.json": [], "models.ndjson": "", "blocks/.keep": "" })).toEqual([]);
  });

  it("folder: the forms may not be mixed for one kind", () => {
    const forms = {
      "entries.json": [entry("a")],
      "entries.ndjson": line(entry("b")),
      "entries/c.json": entry("c"),
    };
    const names = Object.keys(forms) as (keyof typeof forms)[];
    for (const left of names) {
      const two = Object.fromEntries(
        names.filter((name) => name !== left).map((name) => [name, forms[name]]),
      );
      expect(faultsIn(two)).toEqual([expect.stringMatching(/^entries\S* .*keep one of the two/)]);
    }
    expect(faultsIn(forms).length).toBeGreaterThan(0);
  });

  it("folder: the records of a folder are read in path order, at any depth", () => {
    const paths = ["b/a.json", "b.json", "a/z/y.json", "B.json", "a.json", "a-b.json", "ä.json"];
    const files = paths.map((path, index) => [`entries/${path}`, entry(`e${index}`, path)]);
    const inOrder = [...paths].sort().map((text) => ({ record: { data: { text } } }));
    expect(recordsIn(Object.fromEntries(files))).toMatchObject(inOrder);
  });

  it("folder: only *.json files of a kind's folder are records", () => {
    const files = { "entries/a.json": entry("a"), "entries/a.json.bak": "{", "entries/.b": "{" };
    expect(recordsIn(files)).toHaveLength(1);
  });

  it("folder: blank lines and a missing final newline do not matter in NDJSON", () => {
    const [a, b] = AB.map((record) => JSON.stringify(record));
    expect(recordsIn({ "entries.ndjson": `\n${a}\r\n  \n\r\n${b}` })).toEqual(AS_RECORDS);
  });

  it("folder: lines of NDJSON may be longer than a chunk of the file", () => {
    // Characters of 2 and 4 bytes, so that a chunk ends within one of them.
    const long = [entry("a", "é".repeat(700_000)), entry("b", `x${"𝐀".repeat(600_000)}`)];
    const read = recordsIn({ "entries.ndjson": long.map(line).join("") });
    expect(read).toEqual(long.map((record) => ({ kind: "entries", record })));
  });

  it("folder: a byte order mark is accepted in every file", () => {
    const files = {
      "workspace.json": '\ufeff{ "id": "w", "name": "W" }',
      "models.json": "\ufeff[]",
      "features.ndjson": `\ufeff${line({ id: "f", key: "f", name: "F", type: "boolean" })}`,
      "entries/a.json": `\ufeff${JSON.stringify(entry("a", "\ufeffx"))}`,
    };
    expect(recordsIn(files)).toMatchObject([
      { kind: "features" },
      { kind: "entries", record: { data: { text: "\ufeffx" } } },
    ]);
  });
});

describe("the folder itself", () => {
  it("folder: a missing folder, or a file instead, is folder-not-found", () => {
    const folder = workspaceFolder({});
    for (const path of [join(folder, "none"), join(folder, "workspace.json")]) {
      expect(() => [...readFolder(path)]).toThrow(SvcError);
      expect(() => [...readFolder(path)]).toThrow(
        expect.objectContaining({ code: "folder-not-found" }),
      );
    }
  });

  it("folder: a missing workspace.json is a fault", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "entries"));
    expect(faultsOf(folder)).toEqual([
      {
        code: "file-missing",
        file: "workspace.json",
        message: expect.stringContaining("no such file"),
      },
    ]);
  });

  it.each(["null", "[]", '"w"', "1", "{}", '{ "id": "w" }'])(
    "folder: workspace.json is one object with an id and a name; %s is a fault",
    (text) => {
      const faults = faultsIn({ "workspace.json": text, "entries.json": [{}] });
      expect(faults.some((fault) => fault.startsWith("workspace.json:1:1 "))).toBe(true);
      expect(faults.some((fault) => fault.startsWith("entries.json:1:2 "))).toBe(true);
    },
  );
});
