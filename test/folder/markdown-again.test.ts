import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FormatOptions, ImportedBefore } from "../../src/folder/format.ts";
import type { Workspace } from "../../src/workspace/records.ts";
import { type Files, folderOf, readFiles, readFolder } from "../support/markdown-folder.ts";
import type { Read } from "../support/read-export.ts";

const workspaceOf = ({ items: [first] }: Read) => (first as { record: Workspace }).record;

/** An import after another one. */
function following(first: Read): Partial<FormatOptions> {
  const { name, import: choices } = workspaceOf(first);
  const before: ImportedBefore = {
    name,
    choices,
    projects: first.projects,
    hidden: new Set(),
    dataOf: (id) => first.entries.find((one) => one.id === id)?.data,
  };
  return { before: () => before };
}

const idsOf = ({ entries }: Read) => entries.map(({ id, data }) => [id, data.body]);

describe("X25d: the languages of the last import stay", () => {
  const files: Files = { "en/a.md": "A", "en/b.md": "B", "de/a.md": "Ä", "de/b.md": "Be" };
  const first = () => readFiles(files);
  const choicesOf = (read: Read) => workspaceOf(read).import;

  it("where most of the texts of one are not translated any more", () => {
    expect(choicesOf(first())).toEqual({
      from: "markdown",
      roots: ["page"],
      foundLocales: ["de", "en"],
    });
    const more = {
      ...files,
      "de/c.md": "C",
      "de/d.md": "D",
      "de/e.md": "E",
      "en/f.md": "",
      "en/g.md": "",
      "en/h.md": "",
    };
    const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
    expect(readFiles(more).entries.map(({ id }) => id)).not.toEqual(ids);
    const again = readFiles(more, following(first()));
    expect(again.entries.map(({ id }) => id).sort()).toEqual(ids);
    expect(choicesOf(again)?.foundLocales).toEqual(["de", "en"]);
  });

  it("the main one too, beside a text that names none, and another language is found", () => {
    const more = { ...files, "README.md": "R", "fr/a.md": "A", "fr/b.md": "B" };
    expect(readFiles(more).report.locale).toBe("und");
    const again = readFiles(more, following(first()));
    expect(again.report.locales?.map(({ locale, project }) => [locale, project])).toEqual([
      ["de", "site"],
      ["en", "site-en"],
      ["fr", "site-fr"],
    ]);
    expect(again.report.warnings).toContain(
      'texts that name no language are taken as "de": --locales names it first',
    );
  });

  it("as --locales named them, until it names others, or * has them found anew", () => {
    const named = readFiles(files, { locales: ["en"] });
    expect(choicesOf(named)).toEqual({ from: "markdown", roots: ["de", "page"], locales: ["en"] });
    const again = readFiles(files, following(named));
    expect([again.entries.length, choicesOf(again)]).toEqual([4, choicesOf(named)]);
    const anew = readFiles(files, { ...following(named), locales: ["*"] });
    expect([anew.entries.length, choicesOf(anew)?.foundLocales]).toEqual([2, ["de", "en"]]);
    expect(readFiles(files, { ...following(named), locales: ["en", "de"] }).entries).toHaveLength(
      2,
    );
  });
});

describe("X25e: of two texts with one name", () => {
  const pairs = [
    ["post.mdx", "post.md"],
    ["post.md", "post.mdx"],
    ["post.markdown", "post.md"],
    ["post.markdown", "post.mdx"],
    ["post.Rmd", "post.md"],
  ] as const;
  it.each(pairs)("%s keeps its id when %s is there too", (earlier, later) => {
    const first = readFiles({ [earlier]: "one" });
    const both = { [earlier]: "one", [later]: "two" };
    const second = readFiles(both, following(first));
    expect(new Map(idsOf(second) as [])).toEqual(
      new Map([
        ["post", "one"],
        [later, "two"],
      ]),
    );
    expect(second.report.warnings).toContain(
      `1 text has the name of another one, and so the ending in the id: ${later}`,
    );
    const third = readFiles({ ...both, [earlier]: "one, edited", [later]: "" }, following(second));
    expect(new Map(idsOf(third) as [])).toEqual(
      new Map([
        ["post", "one, edited"],
        [later, ""],
      ]),
    );
  });

  it("the first time .md has the id, then .mdx", () => {
    expect(idsOf(readFiles({ "a.Rmd": "3", "a.md": "1", "a.mdx": "2" }))).toEqual([
      ["a", "1"],
      ["a.Rmd", "3"],
      ["a.mdx", "2"],
    ]);
    expect(idsOf(readFiles({ "a.Rmd": "3", "a.mdx": "2" }))[0]).toEqual(["a", "2"]);
  });
});

describe("X24d: --types", () => {
  const files = { "a.md": "---\nrating: 5.0\ntags: 1\n---\n" };
  const types = [
    { field: "page.rating", type: "number", isList: false },
    { field: "tags", type: "text", isList: true },
  ];
  const fieldsOf = ({ models: [model] }: Read) =>
    model?.fields.slice(0, 2).map(({ key, type, repeatable }) => [key, type, repeatable]);
  const expected = [
    ["rating", "number", undefined],
    ["tags", "text", true],
  ];

  it("is taken by the next imports too, also where a field is gone, and is the file's of --schema", () => {
    const first = readFiles(files, { types });
    expect(workspaceOf(first).import?.types).toEqual(["page.rating=number", "tags=text[]"]);
    expect(fieldsOf(readFiles(files))).not.toEqual(expected);
    const again = readFiles(files, following(first));
    expect([fieldsOf(again), workspaceOf(again).import]).toEqual([
      expected,
      workspaceOf(first).import,
    ]);
    const gone = readFiles({ "a.md": "" }, following(first));
    expect(fieldsOf(readFiles(files, following(gone)))).toEqual(expected);
    const anew = readFiles(files, { ...following(first), types: [] });
    expect(workspaceOf(anew).import).not.toHaveProperty("types");
    const schema = join(folderOf({}), "models.json");
    writeFileSync(schema, JSON.stringify(first.definitions));
    expect(fieldsOf(readFiles(files, { ...following(first), schema }))).toEqual(expected);
    expect(() => readFiles(files, { types, schema })).toThrow("is defined in the file of --schema");
  });

  it("a field that it names twice is refused", () => {
    const twice = [...types, { field: "tags", type: "number", isList: false }];
    expect(() => readFiles(files, { types: twice })).toThrow(
      '--types names the field "tags" twice',
    );
  });
});

it("X20: a file of --schema without models is a warning", () => {
  const schema = join(folderOf({ "models.json": "{}" }), "models.json");
  expect(readFiles({ "a.md": "" }, { schema }).report.warnings).toContain(
    "the file of --schema has no models: remove it, and the import writes those it finds",
  );
});

it("X19h: the folder itself may be a link, by whose name the workspace is called", () => {
  const folder = folderOf({ "mkdocs.yml": "exclude_docs: a.md", "docs/a.md": "", "docs/b.md": "" });
  const link = join(folder, "..", "Linked");
  symlinkSync(join(folder, "docs"), link);
  const read = readFolder(link);
  expect(read.entries.map(({ id, draft }) => [id, draft])).toEqual([
    ["a", true],
    ["b", undefined],
  ]);
  expect(workspaceOf(read).id).toBe("Linked");
});

it("X23i: files and folders whose names are not UTF-8 are left out, and named", () => {
  const folder = folderOf({ "a.md": "", "x.md": "", "y/b.md": "", "\uFFFD.md": "" });
  const bytes = (name: string) => Buffer.from(join(folder, name), "latin1");
  renameSync(join(folder, "x.md"), bytes("\xe9.md"));
  renameSync(join(folder, "y"), bytes("\xff"));
  const read = readFolder(folder);
  expect(read.entries.map(({ data }) => data.path)).toEqual(["a", "\uFFFD"]);
  expect(read.report.leftOut).toEqual({
    "files and folders whose names are not UTF-8: \uFFFD, \uFFFD.md": 2,
  });
});
