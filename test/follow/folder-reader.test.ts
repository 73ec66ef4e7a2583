import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { heldText } from "../../src/documents/held-bytes.ts";
import type { FolderRecords } from "../../src/folder/folder-draft.ts";
import { FolderReader } from "../../src/folder/folder-reader.ts";
import { randomRuns } from "../support/random-runs.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { type Files, faultsOf, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const REST = {
  "models.json": [PAGE_MODEL],
  "projects.json": [projectOf("site", "a")],
  "assets.json": [{ id: "logo", fileName: "logo.svg", file: "entries/logo.svg" }],
  "entries/logo.svg": "<svg/>",
};
const IN_FILES = { ...REST, "entries/a.json": page("a", "A"), "entries/b.json": page("b", "B") };
const IN_LINES: Files = {
  "models.json": [PAGE_MODEL],
  "entries.ndjson": ["a", "b", "c", "d"].map((id) => JSON.stringify(page(id, id))).join("\n"),
};

/** Records with the texts of entries. */
function contents({ entries, assets, files, ...lists }: FolderRecords) {
  const texts = new Map(Array.from(entries, ([id, entry]) => [id, heldText(entry)]));
  const heads = new Map(
    Array.from(entries, ([id, { modelId, publishing }]) => [id, [modelId, publishing]]),
  );
  return { lists, texts, heads, assets: new Map(assets), files: new Set(files.keys()) };
}

/** H10a, done plainly: a folder whose faulty files have the texts that were shown last. */
class Mended {
  #texts = new Map<string, string>();

  of(folder: string): string {
    const faults = Map.groupBy(faultsOf(folder), ({ file }) => file);
    const now = new Map(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => [relative(folder, path), readFileSync(path, "utf8")]),
    );
    const shown = new Map([...now].filter(([path]) => !faults.has(path)));
    const ids = new Set<string | undefined>();
    for (const [path, text] of shown) if (isEntry(path)) ids.add(idOf(text));
    for (const [path, [...found]] of faults) {
      const last = this.#texts.get(path);
      if (path === "entries.ndjson") {
        const isGood = (_line: string, at: number) => !found.some(({ line }) => line === at + 1);
        const good = linesOf(now.get(path)).filter(isGood);
        const taken = new Set(good.map(idOf));
        const kept = linesOf(last).filter((line) => line !== "" && !taken.has(idOf(line)));
        shown.set(path, [...good, ...kept].join("\n"));
      } else if (last !== undefined && !(isEntry(path) && ids.has(idOf(last)))) {
        shown.set(path, last);
      }
    }
    // The asset that names it has a fault without it.
    const logo = this.#texts.get(LOGO);
    if (logo !== undefined && !shown.has(LOGO)) shown.set(LOGO, logo);
    this.#texts = shown;
    return workspaceFolder(Object.fromEntries(shown));
  }
}

const LOGO = "entries/logo.svg";
const isEntry = (path: string) => /^entries\/.*\.jsonc?$/.test(path);
const idOf = (text = ""): string | undefined => (text === "" ? undefined : JSON.parse(text).id);
const linesOf = (text = "") => text.split("\n");

/** A folder that is read again, and its records. */
class Reread {
  readonly folder: string;
  readonly reader: FolderReader;
  copy: FolderRecords;
  /** Whether the last change was read from its files alone. */
  isPart = false;
  readonly #mended = new Mended();

  constructor(files: Files) {
    this.folder = workspaceFolder(files);
    rmSync(this.#mended.of(this.folder), { recursive: true });
    this.reader = new FolderReader(this.folder);
    this.copy = this.reader.read();
  }

  write(path: string, value: unknown): void {
    mkdirSync(join(this.folder, path, ".."), { recursive: true });
    writeFileSync(
      join(this.folder, path),
      typeof value === "string" ? value : JSON.stringify(value),
    );
  }

  again(...paths: readonly string[]): FolderRecords {
    const before = this.copy;
    const part = this.reader.readChanged(paths);
    this.isPart = part !== undefined;
    this.copy = part ?? this.reader.read();
    for (const [id, entry] of this.copy.entries) {
      const known = before.entries.get(id);
      const isSame = known !== undefined && heldText(known) === heldText(entry);
      expect(entry === known).toBe(isSame);
    }
    return this.copy;
  }

  /** H10: the same records as when all is read for the first time, the same faults; H10a. */
  expectAsNew(...paths: readonly string[]): void {
    const found = contents(this.again(...paths));
    const mended = this.#mended.of(this.folder);
    expect(faultsOf(mended)).toEqual([]);
    const first = new FolderReader(mended);
    expect(found).toEqual(contents(first.read()));
    const { problems } = this.reader.faults ?? {};
    expect(problems?.kind === "folder" ? problems.list : []).toEqual(faultsOf(this.folder));
    rmSync(mended, { recursive: true });
  }
}

let one: Reread;
beforeEach(() => {
  one = new Reread(IN_FILES);
});

const HOME = "entries/a.json";

describe("H10: a folder that is read again", () => {
  it("H10: needs only those files of entries that have changed", () => {
    // It would be a fault if it were read.
    one.write("entries/b.json", "{");
    one.write(HOME, page("a", "Changed"));
    expect(heldText(one.again(HOME).entries.get("a") as never)).toContain("Changed");
    one.write("entries/en/c.jsonc", `${JSON.stringify(page("c", "C"))} // new`);
    expect([...one.again("entries/en/c.jsonc").entries.keys()]).toEqual(["a", "b", "c"]);
    renameSync(join(one.folder, HOME), join(one.folder, "entries/z.json"));
    one.again(HOME, "entries/z.json");
    rmSync(join(one.folder, "entries/z.json"));
    one.write("entries/a.json~", "a backup");
    expect([
      ...one.again("entries/z.json", "entries/a.json~", "entries/4913").entries.keys(),
    ]).toEqual(["b", "c"]);
    expect(one.isPart).toBe(true);
  });

  it("H10: reports the faults of changed files, and their end, from them alone", () => {
    one.write(HOME, '{ "id": "a" }');
    one.expectAsNew(HOME);
    expect(one.reader.faults?.problems?.list).toMatchObject([{ file: HOME }, { file: HOME }]);
    expect(one.isPart).toBe(true);
    one.write("entries/b.json", page("b", "Meanwhile"));
    one.expectAsNew("entries/b.json");
    expect(heldText(one.copy.entries.get("b") as never)).toContain("Meanwhile");
    expect(one.isPart).toBe(true);
    one.write(HOME, page("a", "Again"));
    one.expectAsNew(HOME);
    expect(one.isPart).toBe(true);
    expect(one.reader.faults).toBeUndefined();
  });

  it("H10: needs only those files of models that have changed, and finds ids and keys that two have", () => {
    const other = { ...PAGE_MODEL, id: "m-b", key: "b" };
    const models = { "models/b.json": other, "models/c.json": PAGE_MODEL };
    const projects = { "projects/b.json": projectOf("b", "a") };
    const folder = new Reread({ ...models, [HOME]: page("a", "A"), ...projects });
    const change = (path: string, value: unknown, isPart: boolean) => {
      folder.write(path, value);
      folder.again(path);
      expect(folder.isPart).toBe(isPart);
      expect(folder.reader.faults?.problems?.list ?? []).toEqual(faultsOf(folder.folder));
    };
    change("models/c.json", { ...PAGE_MODEL, key: "b" }, true);
    expect(folder.reader.faults?.problems?.list).toMatchObject([
      { file: "models/c.json", other: "models/b.json" },
    ]);
    change("models/b.json", { ...other, key: "new" }, true);
    expect(folder.reader.faults).toBeUndefined();
    // The fault is in a file that has not changed.
    change("models/a.json", { ...other, key: "a" }, false);
    expect(folder.reader.faults?.problems?.list).toMatchObject([
      { file: "models/b.json", other: "models/a.json" },
    ]);
    change("models/a.json", { ...other, id: "m-a", key: "a" }, true);
    change("projects/a.json", projectOf("Site", "a"), true);
    change("projects/a.json", projectOf("site", "a"), true);
    change("projects/b.json", projectOf("Site", "a"), true);
    change("projects/b.json", projectOf("b", "a"), true);
    // They would be faults if they were read.
    folder.write(HOME, "{");
    folder.write("models/c.json", { ...PAGE_MODEL, name: "Changed" });
    rmSync(join(folder.folder, "models/a.json"));
    const { models: all } = folder.again("models/a.json", "models/c.json");
    expect(all.map(({ id, name }) => [id, name])).toEqual([
      ["m-b", "Page"],
      ["m-page", "Changed"],
    ]);
    expect(folder.isPart).toBe(true);
    expect(folder.reader.faults).toBeUndefined();
  });

  it.each([
    ["entries/logo.svg", '<svg width="1" height="1"/>'],
    ["entries/c.yaml", "a: 1"],
    ["entries/0.json", page("a", "The same id")],
    ["entries/c.json/d.json", page("d", "In a folder")],
  ])("H10: is read as a whole after a change of %s", (path, value) => {
    one.write(path, value);
    one.expectAsNew(path.replace("/d.json", ""));
    expect(one.isPart).toBe(false);
  });

  it("H10: parses only those lines of entries.ndjson that have changed", () => {
    const lines = new Reread(IN_LINES);
    const known = lines.copy;
    const write = (...ids: readonly string[]) => {
      const all = ids.map((id) => JSON.stringify(page(id.charAt(0), id)));
      lines.write("entries.ndjson", all.join("\n"));
      lines.expectAsNew("entries.ndjson");
      expect(lines.isPart).toBe(true);
    };
    write("a", "b changed", "c", "d");
    expect(lines.copy.entries.get("c")).toBe(known.entries.get("c"));
    for (const ids of ["c d", "new c d", "d new", "e f g d", "d e f g"]) write(...ids.split(" "));
    // The second line with an id is a fault, also where the first one is not parsed.
    for (const ids of [
      ["a", "a"],
      ["a", "b"],
      ["a", "a changed"],
    ]) {
      const all = ids.map((id) => JSON.stringify(page(id.charAt(0), id)));
      lines.write("entries.ndjson", all.join("\n"));
      lines.expectAsNew("entries.ndjson");
    }
    expect(lines.isPart).toBe(false);
  });
});

describe("H10a: a folder with faults", () => {
  it("H10a: at the start all but the records with faults are shown, and these once they are mended", () => {
    const files = { ...IN_FILES, "models.json": [PAGE_MODEL, { id: "m-b" }], [HOME]: "{" };
    const broken = new Reread(files);
    expect([...broken.copy.entries.keys()]).toEqual(["b"]);
    expect(broken.copy.models).toEqual([PAGE_MODEL]);
    broken.write(HOME, page("a", "Mended"));
    broken.write("models.json", "[");
    expect([...broken.again(HOME, "models.json").entries.keys()].sort()).toEqual(["a", "b"]);
    expect(broken.copy.models).toEqual([PAGE_MODEL]);
    expect(broken.reader.faults?.problems?.list).toMatchObject([{ file: "models.json" }]);
  });

  it("H10a: without a workspace.json that can be read there is nothing to show, but it stays as it was", () => {
    const folder = workspaceFolder({ ...IN_FILES, "workspace.json": "{" });
    expect(() => new FolderReader(folder).read()).toThrow(/has 1 fault$/);
    one.write("workspace.json", "{");
    one.write(HOME, page("a", "Shown"));
    expect(one.again("workspace.json", HOME).workspace.name).toBe("Workspace");
    expect(heldText(one.copy.entries.get("a") as never)).toContain("Shown");
  });

  it("H10a: of a file with several records those without faults are shown as they are, the others as they were", () => {
    const [first, second] = ["m-b", "m-c"].map((id) => ({ ...PAGE_MODEL, id, key: id.slice(2) }));
    one.write("models.json", [PAGE_MODEL, first, second]);
    one.expectAsNew("models.json");
    one.write("models.json", [
      { ...PAGE_MODEL, name: "New" },
      { ...first, key: 7 },
    ]);
    const names = one.again("models.json").models.map(({ id, name }) => [id, name]);
    expect(names).toEqual([
      ["m-b", "Page"],
      ["m-c", "Page"],
      ["m-page", "New"],
    ]);
    // What was kept gives way to a record that has its id or key.
    one.write("models.json", [{ ...PAGE_MODEL, id: "m-new", key: "b" }, PAGE_MODEL, {}]);
    expect(one.again("models.json").models.map(({ id }) => id)).toEqual(["m-c", "m-new", "m-page"]);
  });

  it("H10a: a second file of a kind changes nothing but the faults", () => {
    one.write("entries.json", [page("z", "Z")]);
    expect([...one.again("entries.json").entries.keys()].sort()).toEqual(["a", "b", "z"]);
    expect(one.reader.faults?.problems?.list).toMatchObject([{ code: "file-duplicate" }]);
    rmSync(join(one.folder, "entries.json"));
    one.expectAsNew("entries.json");
  });

  it("H10a: an asset whose file is gone stays, without its bytes", () => {
    const [before] = one.copy.files.keys();
    rmSync(join(one.folder, LOGO));
    one.expectAsNew(LOGO);
    expect(one.copy.assets.get("logo")?.sha256).toBe(before);
  });
});

const ids = fc.constantFrom("a", "b", "c", "d");
const records = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(ids, fc.string()).map(([id, title]) => page(id, title)) },
  ids.map((id) => ({ ...page(id, "Later"), draft: true, publishAt: null })),
  fc.constantFrom({ id: "a" }, { ...page("b", "B"), modelId: 7 }, [], "{", '{"id":"c","id":"c"}'),
);
const paths = fc.constantFrom(
  "a.json",
  "b.json",
  "c.jsonc",
  "en/d.json",
  "en/e.json",
  "f.txt",
  "g.yaml",
  "logo.svg",
);

/** Writes or removes a file of an entry. */
const fileEdit = fc.record({
  path: paths.map((name) => `entries/${name}`),
  value: fc.option(records),
});
/** Writes all lines. */
const linesEdit = fc.array(records, { maxLength: 5 }).map((all) => ({
  path: "entries.ndjson",
  value: all.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n"),
}));
const otherEdit = fc.constantFrom(
  { path: "models.json", value: [PAGE_MODEL] },
  { path: "models.json", value: [{ ...PAGE_MODEL, name: "Other" }] },
  { path: "models.json", value: "[" },
  { path: "README.md", value: "text" },
);

describe("H10: the law of reading again", () => {
  it.each([
    ["files", IN_FILES, fileEdit],
    ["lines", IN_LINES, linesEdit],
  ] as const)("H10: any edits of %s give what a new reading gives", (_what, files, edit) => {
    const edits = fc.array(fc.oneof({ weight: 6, arbitrary: edit }, otherEdit), { maxLength: 3 });
    const batches = fc.array(edits as fc.Arbitrary<{ path: string; value: unknown }[]>, {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(batches, (all) => {
        const reread = new Reread(files);
        let isPart = false;
        for (const batch of all) {
          for (const { path, value } of batch) {
            if (value === null) rmSync(join(reread.folder, path), { force: true });
            else reread.write(path, value);
          }
          reread.expectAsNew(...batch.map(({ path }) => path));
          isPart ||= reread.isPart;
        }
        rmSync(reread.folder, { recursive: true });
        fc.pre(isPart);
      }),
      { numRuns: randomRuns(100) },
    );
  });
});
