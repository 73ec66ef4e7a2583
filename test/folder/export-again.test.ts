import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/documents/version-id.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { bytesBelow, pathsBelow, statesBelow } from "../support/file-tree.ts";
import { type Parts, TestBed, temporaryFolder } from "../support/test-bed.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";
import { draftValue, exportInto, imported } from "./export-bed.ts";

const MODEL = {
  id: "m",
  key: "m",
  name: "M",
  fields: [
    { key: "title", type: "text" },
    { key: "body", type: "content-block", repeatable: true },
    { key: "any", type: "json" },
    { key: "tree", type: "rich-text" },
  ],
};
const BLOCK = { ...MODEL, id: "b", key: "b" };
const LIST = ".svc/exported.txt";
const entry = (id: string, data = {}) => ({ id, modelId: "m", data });

/** A workspace with these entries and one asset with its file. */
function bedOf(entries: readonly object[], parts: Parts = {}): TestBed {
  const { asset, file } = heldAsset("photo", "photo.html", "<p>", "text/html");
  const all = { models: [MODEL], blocks: [BLOCK], assets: [asset], files: new Map([file]) };
  return new TestBed({ ...all, entries: entries as Parts["entries"] & object, ...parts });
}

function put(folder: string, path: string, value: string | object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof value === "string" ? value : JSON.stringify(value));
}

/** Expects a refusal that names these files and changes nothing. */
function expectRefused(folder: string, bed: TestBed, files: string[], ndjson = false): void {
  const before = bytesBelow(folder);
  let error: unknown;
  try {
    exportInto(folder, bed, { ndjson });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(SvcError);
  const { code, problems } = error as SvcError;
  expect(code).toBe("folder-changed");
  const named = problems?.kind === "folder" ? problems.list.map(({ file }) => file) : [];
  expect(named).toEqual(files);
  expect(bytesBelow(folder)).toEqual(before);
}

describe("G1: names of files", () => {
  it("G1: ids that differ only in letter case have distinct files, whatever other ids there are", () => {
    const ids = ["page", "Page", "PAGE", "page-2", "other"];
    const namesOf = (some: readonly string[]) => {
      const folder = temporaryFolder();
      exportInto(folder, bedOf(some.map((id) => entry(id))));
      expect(draftValue(imported(folder).store).entries).toHaveLength(some.length);
      return pathsBelow(join(folder, "entries"));
    };
    const names = namesOf(ids);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(5);
    expect(names).toEqual(expect.arrayContaining(["other.json", "page-2.json"]));
    expect(namesOf([...ids, "pAge"])).toEqual(expect.arrayContaining(names));
  });

  it("G1: no file has a name that Windows reserves", () => {
    const ids = ["con", "NUL.x", "com1", "lpt9.a.b", "console", "a.con", "com"];
    const { asset, file } = heldAsset("a", 'aux:"1"?.', "x", "text/plain");
    const folder = temporaryFolder();
    const bed = bedOf(
      ids.map((id) => entry(id)),
      { assets: [asset], files: new Map([file]) },
    );
    exportInto(folder, bed);
    expect(pathsBelow(join(folder, "entries"))).toEqual([
      "a.con.json",
      "com.json",
      "console.json",
      "~NUL.x.json",
      "~com1.json",
      "~con.json",
      "~lpt9.a.b.json",
    ]);
    expect(pathsBelow(join(folder, "files"))[0]).toMatch(/^[0-9a-f]{16}\/aux~~1~~~$/);
    expect(draftValue(imported(folder).store)).toEqual(draftValue(bed.store));
  });
});

it("G2: members are in the order of the shapes and fields, others by code unit", () => {
  const record = {
    data: {
      zebra: 1,
      apple: 2,
      any: { z: 1, a: 2 },
      body: [{ data: { title: "in", odd: 1, body: [] }, contentBlockId: "b" }],
      tree: { z: 1, a: [{ data: { odd: 1, title: "in" }, contentBlockId: "b" }] },
      title: "out",
    },
    unpublishAt: "2026-11-22T09:30:00Z",
    publishAt: "2026-11-21T09:30:00Z",
    draft: true,
    modelId: "m",
    id: "e",
  };
  const model = { fields: [{ type: "text", maxLength: 3, key: "a", required: true }] };
  const folder = temporaryFolder();
  exportInto(
    folder,
    bedOf([record], { blocks: [BLOCK, { ...model, name: "C", key: "c", id: "c" }] }),
  );
  const textOf = (path: string) =>
    JSON.stringify(JSON.parse(readFileSync(join(folder, path), "utf8")));
  expect(textOf("entries/e.json")).toBe(
    '{"id":"e","modelId":"m","draft":true,"publishAt":"2026-11-21T09:30:00Z",' +
      '"unpublishAt":"2026-11-22T09:30:00Z","data":{"title":"out","body":[{"contentBlockId":"b","data":' +
      '{"title":"in","body":[],"odd":1}}],"any":{"z":1,"a":2},' +
      '"tree":{"z":1,"a":[{"contentBlockId":"b","data":{"title":"in","odd":1}}]},"apple":2,"zebra":1}}',
  );
  expect(textOf("blocks/c.json")).toBe(
    '{"id":"c","key":"c","name":"C","fields":[{"key":"a","type":"text","required":true,"maxLength":3}]}',
  );
});

it("G2, B2: the locales of a value are by code unit, and blocks in each of them in order", () => {
  const localized = { type: "content-block", localized: true };
  const fields = [
    { key: "title", type: "text", localized: true },
    { key: "body", repeatable: true, ...localized },
    { key: "any", type: "json", localized: true },
    { key: "tree", type: "rich-text", localized: true },
    { key: "odd", ...localized },
  ];
  const block = { data: { odd: 1, title: { "pt-BR": "a", de: "b" } }, contentBlockId: "b" };
  const data = {
    odd: ["no locales"],
    any: { en: { z: 1, a: 2 } },
    tree: { en: [block], de: null },
    body: { "pt-BR": [block], en: [] },
    title: { "zh-Hant": "", de: "b", "de-AT": "a" },
  };
  const parts = {
    models: [{ ...MODEL, fields }],
    blocks: [{ ...BLOCK, fields: [{ localized: true, key: "title", type: "text" }] }],
  };
  const bed = bedOf([{ data, id: "e", modelId: "m" }], parts);
  const folder = temporaryFolder();
  exportInto(folder, bed);
  const textOf = (path: string) =>
    JSON.stringify(JSON.parse(readFileSync(join(folder, path), "utf8")));
  const ordered = '{"contentBlockId":"b","data":{"title":{"de":"b","pt-BR":"a"},"odd":1}}';
  expect(textOf("entries/e.json")).toBe(
    `{"id":"e","modelId":"m","data":{"title":{"de":"b","de-AT":"a","zh-Hant":""},` +
      `"body":{"en":[],"pt-BR":[${ordered}]},"any":{"en":{"z":1,"a":2}},` +
      `"tree":{"de":null,"en":[${ordered}]},"odd":["no locales"]}}`,
  );
  expect(textOf("blocks/b.json")).toContain('[{"key":"title","type":"text","localized":true}]');
  expect(draftValue(imported(folder).store)).toEqual(draftValue(bed.store));
});

describe("G3: an export again", () => {
  it("G3: a file is written for each record at any size, and one a kind with --ndjson", () => {
    const entries = Array.from({ length: 1001 }, (_, index) => entry(`e${index}`, { any: "\n" }));
    const [folder, bed] = [temporaryFolder(), bedOf(entries)];
    exportInto(folder, bed);
    expect(pathsBelow(join(folder, "entries"))).toHaveLength(1001);
    expect(exportInto(folder, bed, { ndjson: true }).files).toEqual({
      written: 4,
      unchanged: 2,
      removed: 1004,
    });
    expect(pathsBelow(folder)).toEqual([
      LIST,
      "assets.ndjson",
      "blocks.ndjson",
      "entries.ndjson",
      expect.stringMatching(/^files\//),
      "models.ndjson",
      "workspace.json",
    ]);
    expect(readFileSync(join(folder, "entries.ndjson"), "utf8")).toMatch(
      /^\{"id":"e0","modelId":"m","data":\{"any":"\\n"\}\}\n/,
    );
    expect(draftValue(imported(folder).store)).toEqual(draftValue(bed.store));
    expect(exportInto(folder, bed).files).toEqual({ written: 1004, unchanged: 2, removed: 4 });
    expect(pathsBelow(folder)).toHaveLength(1007);
    expect(draftValue(imported(folder).store)).toEqual(draftValue(bed.store));
  });

  it("G3: only what differs is written, and only what the draft does not have is removed", () => {
    const folder = temporaryFolder();
    const bed = bedOf([entry("a"), entry("b"), entry("c")]);
    exportInto(folder, bed);
    const before = statesBelow(folder);
    const { files } = exportInto(folder, bedOf([entry("a"), entry("b", { title: "x" })]));
    expect(files).toEqual({ written: 1, unchanged: 6, removed: 1 });
    const after = statesBelow(folder);
    const changed = Object.keys({ ...before, ...after }).filter((p) => before[p] !== after[p]);
    expect(changed.sort()).toEqual([LIST, "entries/b.json", "entries/c.json"]);
    const other = bedOf([], { assets: [], models: [] });
    expect(exportInto(folder, other).files.removed).toBe(5);
    expect(pathsBelow(folder)).toEqual([LIST, "blocks/b.json", "workspace.json"]);
  });

  it("G3: a record stays where an author moved it, and as an author formatted it", () => {
    const { asset, file } = heldAsset("photo", "photo.html", "<p>", "text/html");
    const parts = { assets: [asset], files: new Map([file]) };
    const [folder, entries] = [temporaryFolder(), [entry("a", { title: "x", any: 1 })]];
    exportInto(folder, bedOf(entries, parts));
    mkdirSync(join(folder, "entries/sub"));
    renameSync(join(folder, "entries/a.json"), join(folder, "entries/sub/home.json"));
    put(folder, "entries/sub/home.json", '{"data":{"any":1,"title":"x"},\n"id":"a","modelId":"m"}');
    put(folder, "own.html", "<p>");
    put(folder, "assets/photo.json", { id: "photo", file: "own.html", fileName: "photo.html" });
    const settings = JSON.parse(readFileSync(join(folder, "workspace.json"), "utf8"));
    put(folder, "workspace.json", { ...settings, previewToken: "secret-token-0123456789" });
    const before = bytesBelow(folder);
    expect(exportInto(folder, bedOf(entries, parts))).toMatchObject({
      files: { written: 0, removed: 1 },
      left: [],
    });
    const after = bytesBelow(folder);
    const without = (all: Record<string, string>) =>
      Object.entries(all).filter(([path]) => path !== LIST && !path.startsWith("files/"));
    expect(without(after)).toEqual(without(before));
    expect(exportInto(folder, bedOf([])).left).toEqual(["entries/sub/home.json"]);
  });

  it("G3a: what no export wrote is neither replaced nor removed", () => {
    const folder = temporaryFolder();
    const bed = bedOf([entry("a"), entry("b")]);
    exportInto(folder, bed);
    put(folder, "entries/a.json", entry("a", { title: "edited" }));
    put(folder, "notes.txt", "mine");
    expectRefused(folder, bed, ["entries/a.json"]);
    // The draft does not have it any more.
    expect(exportInto(folder, bedOf([entry("b")])).left).toEqual(["entries/a.json"]);
    rmSync(join(folder, "entries/a.json"));
    expect(exportInto(folder, bed).files.written).toBe(1);
    put(folder, "entries.ndjson", "");
    expectRefused(folder, bed, ["entries.ndjson"]);
    rmSync(join(folder, "entries.ndjson"));
    put(folder, "entries/new.json", entry("new"));
    expectRefused(folder, bed, ["entries/new.json"], true);
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("mine");
  });

  it("G3a: a folder of another workspace, and a list that leads out of the folder, change nothing", () => {
    const folder = temporaryFolder();
    exportInto(folder, bedOf([entry("a")]));
    const other = new TestBed({ id: "other" });
    expect(() => exportInto(folder, other)).toThrow(
      expect.objectContaining({ code: "folder-not-empty" }),
    );
    const outside = join(temporaryFolder(), "entries");
    renameSync(join(folder, "entries"), outside);
    symlinkSync(outside, join(folder, "entries"));
    const before = bytesBelow(outside);
    const refused = expect.objectContaining({ code: "folder-changed" });
    expect(() => exportInto(folder, bedOf([]))).toThrow(refused);
    expect(bytesBelow(outside)).toEqual(before);
  });

  it("G3, F9: a listed path that is hidden or leads out of the folder is neither removed nor refused", () => {
    const folder = temporaryFolder();
    exportInto(folder, bedOf([entry("a"), entry("b")]));
    const paths = [".git/config", "entries/.hidden.json", "../out.json", "entries\\c.json"];
    const text = "mine";
    for (const path of paths) put(folder, path, text);
    const lines = paths.map((path) => `${sha256(text)}  ${path}\n`).join("");
    put(folder, LIST, readFileSync(join(folder, LIST), "utf8") + lines);
    expect(exportInto(folder, bedOf([entry("a")])).files.removed).toBe(1);
    for (const path of paths) expect(readFileSync(join(folder, path), "utf8"), path).toBe(text);
    rmSync(join(folder, "../out.json"));
  });

  it("G3: an export that was killed is completed by the next one", () => {
    const folder = temporaryFolder();
    exportInto(folder, bedOf([entry("a"), entry("b"), entry("c")]));
    const next = bedOf([entry("a", { title: "1" }), entry("b", { title: "2" })]);
    // As after a kill: the list has both exports, one of two files is written, none removed.
    const [copy, list] = [temporaryFolder(), (at: string) => readFileSync(join(at, LIST), "utf8")];
    exportInto(copy, next);
    put(folder, LIST, list(folder) + list(copy));
    put(folder, "entries/a.json", readFileSync(join(copy, "entries/a.json"), "utf8"));
    expect(exportInto(folder, next).files).toMatchObject({ written: 1, removed: 1 });
    expect(bytesBelow(folder)).toEqual(bytesBelow(copy));
  });

  it("G3: files that Git checked out with CRLF are those of an export", () => {
    const folder = temporaryFolder();
    exportInto(folder, bedOf([entry("a"), entry("b")]));
    for (const path of pathsBelow(folder).filter((name) => name.endsWith(".json"))) {
      put(folder, path, readFileSync(join(folder, path), "utf8").replaceAll("\n", "\r\n"));
    }
    const { files } = exportInto(folder, bedOf([entry("a", { title: "x" })]));
    expect(files.removed).toBe(1);
    expect(readFileSync(join(folder, "entries/a.json"), "utf8")).toContain('"x"');
  });
});
