import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  faultsIn,
  faultsOf,
  recordsIn,
  workspaceFolder,
} from "../support/workspaces/workspace-folder.ts";

const ENTRY = { id: "e", modelId: "m", data: {} };
const asset = (file: string) => ({ id: "a", fileName: "a.json", file });

describe("W1: a name that is nearly a kind's is a fault that names the kind", () => {
  it.each([
    ["Entries/a.json", "Entries", "entries"],
    ["entry/a.json", "entry", "entries"],
    ["entires/a.json", "entires", "entries"],
    ["model/a.json", "model", "models"],
    ["Assets/hero.png", "Assets", "assets"],
    ["feature/README.md", "feature", "features"],
    ["entrys.json", "entrys.json", "entries.json"],
    ["model.ndjson", "model.ndjson", "models.ndjson"],
    ["project.JSONL", "project.JSONL", "projects.ndjson"],
    ["entries.JSON", "entries.JSON", "entries.json"],
    ["models.yaml", "models.yaml", "models.json"],
    ["Models", "Models", "models"],
    ["Workspace.json", "Workspace.json", "workspace.json"],
    ["workspace.yml", "workspace.yml", "workspace.json"],
    ["workspace.ndjson", "workspace.ndjson", "workspace.json"],
  ])("W1: %s", (path, name, meant) => {
    expect(faultsIn({ [path]: ENTRY })).toEqual([
      `${name} is not read: "${name}" is no kind of records; did you mean "${meant}"?`,
    ]);
  });

  it("W1: also beside the kind itself, and as a symbolic link", () => {
    expect(faultsIn({ "entries/a.json": ENTRY, "Entries/b.json": ENTRY })).toHaveLength(1);
    const folder = workspaceFolder({});
    symlinkSync(".", join(folder, "Entries"));
    expect(faultsOf(folder)).toMatchObject([{ file: "Entries" }]);
  });
});

describe("W1c: a file in the folder of a kind that is nearly a record is a fault", () => {
  it.each([
    ["news.json.txt", "news.json"],
    ["news.jsn", "news.json"],
    ["news.txt", "news.json"],
    ["news.JSON", "news.json"],
    ["news.json - Copy", "news.json"],
    ["news", "news.json"],
    ["deep/news.json.txt", "news.json"],
  ])("W1c: %s, with the name that is meant", (name, meant) => {
    expect(faultsIn({ [`entries/${name}`]: ENTRY })).toEqual([
      `entries/${name} is not read: records are *.json and *.jsonc files; rename it to "${meant}", or move it out of "entries"`,
    ]);
  });

  it.each(["news.md", "README.rst", "hero.png", "a.b.c"])("W1c: %s", (name) => {
    expect(faultsIn({ [`entries/${name}`]: "" })).toEqual([
      `entries/${name} is not read: records are *.json and *.jsonc files, and no asset names it; move it out of "entries"`,
    ]);
  });

  it.each([
    ["models.json.txt", "models.json"],
    ["workspace.json.txt", "workspace.json"],
    ["entries.jsn", "entries.json"],
  ])("W1c: %s at the top", (name, meant) => {
    expect(faultsIn({ [name]: "[]" })).toEqual([
      `${name} is not read: "${name}" is no kind of records; did you mean "${meant}"?`,
    ]);
  });
});

describe("W1a: data that is not read is a fault", () => {
  it.each([
    ["articles/a.json", ENTRY, "entries", "articles"],
    ["articles/a.json", [ENTRY], "entries", "articles"],
    ["home.json", ENTRY, "entries", "home.json"],
    ["shared/a.jsonc", { id: "p", name: "P", steps: [], experiences: [] }, "projects", "shared"],
  ])(
    "W1a: %s that holds records of another kind says where these belong",
    (file, record, kind, name) => {
      expect(faultsIn({ [file]: record })).toEqual([
        `${file} is not read: "${name}" is no kind of records; ${kind} belong in "${kind}/"`,
      ]);
    },
  );

  it("W1a: of a folder that is no kind, once with its first file", () => {
    expect(
      faultsIn({ "locales/de/b.json": {}, "locales/de/a.yaml": "", "locales/en.json": {} }),
    ).toEqual([
      'locales/de/a.yaml is not read: "locales" is no kind of records; kinds are models, blocks, features, projects, entries, assets; move it out of the workspace folder',
    ]);
  });

  it("W1: of a folder whose data is far from a kind's name, with the kind that is meant", () => {
    expect(faultsIn({ "entities/a.json": ENTRY })).toEqual([
      expect.stringMatching(/^entities\/a\.json .* did you mean "entries"\?$/),
    ]);
  });

  it.each(["settings.json", "a.JSON", "b.yaml", "c.jsonl", "d.json5"])(
    "W1b: the file %s at the top",
    (name) => {
      expect(faultsIn({ [name]: "{}" })).toEqual([expect.stringContaining(`${name} is not read`)]);
    },
  );

  it.each(["a.JSON", "b.yaml", "c.yml", "deep/all.ndjson", "d.json5"])(
    "W1a: the file %s in the folder of a kind",
    (name) => {
      expect(faultsIn({ [`entries/${name}`]: "{}" })).toEqual([
        expect.stringMatching(new RegExp(`^entries/${name} is not read: records are `)),
      ]);
    },
  );
});

describe("W1b: what may be beside the records", () => {
  it.each([
    ".gitignore",
    ".git/config.json",
    ".svc/entry.schema.json",
    ".vscode/settings.json",
    "entries/.hidden/a.json",
    "node_modules/a/package.json",
    "web/node_modules/a/b.json",
    "README.md",
    "LICENSE",
    "models.md",
    "entries.txt",
    "images/hero.png",
    "textures/a.png",
    "files/unused.json",
    "docs/guide.md",
    "entries/b.md~",
    "entries/.#b.json",
    "entries/#b.json#",
    "entries/.b.json.swp",
    "entries/desktop.ini",
    "models.json.bak",
    "entries/a.json.bak",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "svc.config.json",
    "workspace.db",
  ])("W1: %s", (path) => {
    expect(recordsIn({ [path]: "" })).toEqual([]);
  });

  it("W1c: any file in the folder of a kind that an asset names", () => {
    const asset = { id: "hero", fileName: "hero.png", file: "assets/pictures/hero.png" };
    expect(faultsIn({ "assets/hero.json": asset, "assets/pictures/hero.png": "" })).toEqual([]);
    expect(
      faultsIn({ "assets/hero.json": asset, "assets/pictures/hero.png": "", "assets/b.png": "" }),
    ).toEqual([
      expect.stringMatching(/^assets\/b\.png is not read: .*, and no asset names it; move it/),
    ]);
  });

  it("W1a: data files that an asset names, and no others beside them", () => {
    const files = { "images/a.json": {}, "entries/b.yaml": "", "c.json": {} };
    for (const file of ["images/a.json", "./images//a.json", "images\\a.json"]) {
      expect(faultsIn({ "images/a.json": {}, "assets.json": [asset(file)] })).toEqual([]);
    }
    const versions = [{ ...asset("entries/b.yaml") }, { ...asset("c.json"), id: "c" }];
    const assets = [{ ...asset("images/a.json"), versions }];
    expect(faultsIn({ ...files, "assets.json": assets })).toEqual([]);
    expect(faultsIn({ ...files, "images/z.json": {}, "assets.json": assets })).toEqual([
      expect.stringMatching(/^images\/z\.json is not read/),
    ]);
  });

  it("W1b: an empty folder, and published files", () => {
    const folder = workspaceFolder({ "out/api/v1/index.json": {}, "out/manifest.json": {} });
    mkdirSync(join(folder, "later"));
    expect(faultsOf(folder)).toEqual([]);
    expect(faultsIn({ "api/v1/index.json": {} })).toHaveLength(1);
  });
});
