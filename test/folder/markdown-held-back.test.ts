import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/workspace/records.ts";
import { folderOf, readFiles, readFolder } from "../support/markdown-folder.ts";
import type { Read } from "../support/read-export.ts";

/** Beside a text that is published, as an import of drafts alone has another warning. */
const readText = (text: string, path = "a.md", options = {}) =>
  readFiles({ [path]: text, "z.md": "" }, options);

/** What an entry says of its publishing. */
const shownOf = ({ entries }: Read, id = "a") => {
  const { draft, publishAt, unpublishAt } = entries.find((one) => one.id === id) as Entry;
  return [draft ? "draft" : "published", publishAt, unpublishAt].filter((one) => one !== undefined);
};

const fieldsOf = ({ entries: [entry] }: Read) => {
  const { path: _path, body: _body, ...fields } = entry?.data ?? {};
  return fields;
};

describe("X22b: members by which a text is not for the public", () => {
  const yes = ["true", "yes", '"true"', "True", "ON", "1", '"1"', "2"];
  const no = ["false", "no", '"false"', "Off", "0", '"0"'];
  it.each([...yes, ...no, "null", ""])(
    "X19c: draft: %s, in any letter case of the name",
    (value) => {
      for (const name of ["draft", "Draft", "DRAFT"]) {
        const read = readText(`---\n${name}: ${value}\n---\n`);
        expect(shownOf(read)).toEqual([yes.includes(value) ? "draft" : "published"]);
        expect([fieldsOf(read), read.report.warnings]).toEqual([{}, []]);
      }
    },
  );

  it.each([
    "draft: 2026-11-21",
    "draft: [false]",
    "isDraft: { a: 1 }",
    "public: maybe",
    'draft: ""',
  ])("X19c: %s is not clear: a draft, with a warning", (line) => {
    const read = readText(`---\n${line}\n---\n`);
    const name = line.split(":")[0];
    expect(shownOf(read)).toEqual(["draft"]);
    expect(read.report.warnings).toEqual([
      `1 text is a draft since "${name}" is neither true nor false: a.md:2`,
    ]);
  });

  const held = [
    ...["isDraft: true", "is_draft: yes", "Is-Draft: 1", "unpublished: true", "private: true"],
    ...["headless: true", "published: false", "Publish: no", "public: false", "dg-publish: false"],
    ...[
      "render: false",
      "permalink: false",
      "status: Draft",
      "Status: skip",
      "state: [private]",
      "access: internal",
    ],
    ...[
      "visibility: in review",
      "password: x",
      "_build: { render: never }",
      "build: { render: link }",
    ],
  ];
  it.each(held)("%s makes a draft, is no field, and is told once", (line) => {
    const name = line.split(":")[0];
    const text = `---\n${line}\n---\n`;
    const read = readFiles({ "a.md": text, "b.md": text, "z.md": "" });
    expect([shownOf(read), fieldsOf(read)]).toEqual([["draft"], {}]);
    expect(read.report.warnings).toEqual([`2 texts are drafts by "${name}": a.md, b.md`]);
    expect(shownOf(readText(text, "a.md", { drafts: true }))).toEqual(["published"]);
  });

  it("other values of such members are fields, and those that release are none", () => {
    const text =
      "---\npublished: 2024-03-01\npublish: 2019\nstatus: published\naccess: public\nstate: todo\npermalink: /a/\nrender: x\n---\n";
    const read = readText(text);
    expect(shownOf(read)).toEqual(["published"]);
    expect(Object.keys(fieldsOf(read))).toEqual([
      "published",
      "publish",
      "status",
      "access",
      "state",
      "permalink",
      "render",
    ]);
    const released = readText("---\npublished: true\nprivate: no\n---\n");
    expect([shownOf(released), fieldsOf(released)]).toEqual([["published"], {}]);
  });

  it.each(["+++\ndraft = true\n+++\n", '{ "draft": true }\n', ';;;\n"draft": true\n;;;\n'])(
    "in each form of front matter: %j",
    (text) => expect(shownOf(readText(text))).toEqual(["draft"]),
  );
});

describe("X22c: what holds a text back without front matter of its own", () => {
  const paths: readonly (readonly [path: string, why: string])[] = [
    ["_drafts/a.md", 'the folder "_drafts"'],
    ["posts/_parts/a.mdx", 'the folder "_parts"'],
    ["_note.mdx", 'a name that begins with "_"'],
    ["posts/a.draft.md", 'a name with ".draft"'],
  ];
  it.each(paths)("the path %s", (path, why) => {
    const { entries, report } = readText("x", path);
    expect(entries.map(({ draft = false }) => draft)).toEqual([true, false]);
    expect(report.warnings).toContain(`1 text is a draft by ${why}: ${path}`);
  });

  it("sections, Jekyll's posts and its collections are content", () => {
    const files = { "_index.md": "", "_posts/a.md": "", "_recipes/a.md": "", "_secret/a.md": "" };
    const config = { "_config.yml": "collections:\n  recipes:\n    output: true\n" };
    const { entries } = readFiles({ ...files, ...config });
    expect(entries.flatMap(({ id, draft }) => (draft ? [id] : []))).toEqual(["_secret--a"]);
  });

  it("a member in the first lines of a text", () => {
    const texts = [
      "# Plan\n\nStatus: **draft**\n",
      "<!--\n.. title: A\n.. status: draft\n-->\n",
      "draft:true\n\nText",
      'export const meta = { title: "A", draft: true }\n\nText',
    ];
    for (const text of texts) expect(shownOf(readText(text)), text).toEqual(["draft"]);
    const code = "How to:\n\n```yaml\ndraft: true\n```\n";
    for (const text of [code, "---\ntitle: A\n---\ndraft: true\n"]) {
      expect(shownOf(readText(text)), text).toEqual(["published"]);
    }
  });

  it("collections of Jekyll without output, its exclude, and its defaults of a file or a folder/", () => {
    const names = [
      "_a/x.md",
      "_b/x.md",
      "old/x.md",
      "a-old.md",
      "b.md",
      "c.md",
      "docs/x.md",
      "olds.md",
    ];
    const config = [
      "collections: { a: { output: true }, b: { output: false } }",
      "exclude: [old/, 'a*.md']",
      "defaults:",
      "- { scope: { path: b.md }, values: { published: false } }",
      "- { scope: { path: docs/ }, values: { published: false } }",
    ];
    const texts = Object.fromEntries(names.map((name) => [name, ""]));
    const { entries } = readFiles({ ...texts, "_config.yml": config.join("\n") });
    const shown = entries.flatMap(({ id, draft }) => (draft ? [] : [id]));
    expect(shown).toEqual(["_a--x", "c", "olds"]);
  });

  it("X22h: texts of a leaf bundle of Hugo are held back with its index, and have its times", () => {
    const files = {
      "content/p/a/index.md": "---\ndraft: true\ntitle: A\n---\n",
      "content/p/a/note.md": "---\ntitle: N\n---\n",
      "content/p/a/deep/note.md": "",
      "content/p/b/index.md": "---\npublishDate: 2099-01-01\n---\n",
      "content/p/b/index.de.md": "",
      "content/p/b/note.md": "",
      "content/p/c.md": "",
    };
    const read = readFiles({ ...files, "hugo.toml": "" });
    const notes = ["a--note", "a--deep--note", "b--note", "c"].map((id) => `content--p--${id}`);
    expect(notes.map((id) => shownOf(read, id))).toEqual([
      ["draft"],
      ["draft"],
      ["published", "2099-01-01T00:00:00Z"],
      ["published"],
    ]);
    const { entries } = readFiles({ ...files, "x.md": "" });
    expect(entries.filter(({ draft }) => draft)).toHaveLength(1);
  });

  it("what a folder gives its texts: Hugo's cascade, Eleventy's data, Jekyll's defaults", () => {
    const own = "---\nbuild: { render: always }\n---\n";
    const { entries, report } = readFiles({
      "hugo/_index.md": "---\ncascade:\n  - build: { render: never }\n---\n",
      "hugo/deep/a.md": "---\ntitle: A\n---\n",
      "hugo/own.md": own,
      "11ty/11ty.json": '{ "permalink": false }',
      "11ty/a.md": "",
      "jekyll/a.md": "",
      "b.md": "",
      "_config.yml":
        "defaults:\n- scope: { path: jekyll }\n  values: { published: false }\n- scope: { path: '', type: x }\n  values: { published: false }\n",
    });
    expect(entries.flatMap(({ id, draft }) => (draft ? [] : [id]))).toEqual(["b", "hugo--own"]);
    expect(report.warnings).toContain(
      '2 texts are drafts by "build" in hugo/_index.md: hugo/_index.md, hugo/deep/a.md',
    );
  });
});

describe("X22d: dates from which on, and until which, a text is published", () => {
  const dates: readonly (readonly [string, ...string[]])[] = [
    ["publishDate: 2099-01-01", "2099-01-01T00:00:00Z"],
    ["publish_date: 2099-1-2 9:30", "2099-01-02T09:30:00Z"],
    ["PublishAt: 2099-01-01T09:30:15.5+02:00", "2099-01-01T09:30:15.5+02:00"],
    ["publishdate: 2099/01/01 10:00:00 +0100", "2099-01-01T10:00:00+01:00"],
    ["publishDate: Jan 2, 2099", "2099-01-02T00:00:00Z"],
    [
      "publishDate: 2099-01-01\nexpiryDate: 2099-02-01",
      "2099-01-01T00:00:00Z",
      "2099-02-01T00:00:00Z",
    ],
    ["unpublishDate: 2001-01-01", "2001-01-01T00:00:00Z"],
  ];
  it.each(dates)("%s", (lines, ...expected) => {
    const text = `---\n${lines}\n---\n`;
    const read = readText(text);
    expect(shownOf(read)).toEqual(["published", ...expected]);
    expect(shownOf(readText(text, "a.md", { drafts: true }))).toEqual(["published", ...expected]);
    expect(Object.keys(fieldsOf(read)), "they are fields too").toHaveLength(
      lines.split("\n").length,
    );
  });

  it.each(["soon", "2024-02-30", "2099-01-01 25:00", "4070908800", "[2099-01-01]"])(
    "publishDate: %s is no date: a draft, with a warning",
    (value) => {
      const read = readText(`---\npublishDate: ${value}\n---\n`);
      expect(shownOf(read)).toEqual(["draft"]);
      expect(read.report.warnings[0]).toBe(
        '1 text is a draft since "publishDate" is no date: a.md:2',
      );
    },
  );

  it("an end that is not after the beginning makes a draft", () => {
    const lines = "publishDate: 2099-01-01\nexpiryDate: 2098-12-31T23:00:00-01:00";
    expect(shownOf(readText(`---\n${lines}\n---\n`))).toEqual(["draft", "2099-01-01T00:00:00Z"]);
  });

  const at = (date: string) => ["published", `${date}T00:00:00Z`];
  const TEXT = "---\ndate: 2099-01-01\n---\n";
  const generators: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
    ["none", {}, false],
    ["Hugo", { "hugo.toml": "" }, true],
    ["Hugo, by config.toml", { "config.toml": 'baseURL = "/"' }, true],
    ["Hugo with dates ahead", { "hugo.yaml": "buildFuture: true" }, false],
    ["Zola", { "config.toml": 'base_url = "/"' }, false],
    ["Jekyll", { "_config.yml": "title: x" }, true],
    ["Jekyll with dates ahead", { "_config.yml": "future: true" }, false],
    ["Jekyll, by its folder", { "content/_posts/b.md": "" }, true],
    ["Hexo", { "_config.yml": "source_dir: source", "content/_posts/b.md": "" }, false],
  ];
  it.each(generators)("X22e: a date counts as the generator has it: %s", (_, files, isDated) => {
    const folder = join(folderOf({ ...files, "content/a.md": TEXT }), "content");
    const read = (options = {}) => readFolder(folder, options);
    expect(shownOf(read())).toEqual(isDated ? at("2099-01-01") : ["published"]);
    expect(read().report.warnings.join().includes("--dates keep")).toBe(isDated);
    expect(shownOf(read({ dates: "keep" }))).toEqual(["published"]);
    expect(shownOf(read({ dates: "publish" }))).toEqual(at("2099-01-01"));
  });

  it("Hugo takes the first of publishDate, pubdate, published and date; Jekyll the name too", () => {
    const dated = (lines: string) => ({ "a.md": `---\n${lines}\n---\n`, "hugo.toml": "" });
    const lines = "date: 2098-01-01\npublished: 2097-01-01";
    expect(shownOf(readFiles(dated(lines)))).toEqual(at("2097-01-01"));
    expect(shownOf(readFiles(dated(`${lines}\npublishDate: 2096-01-01`)))).toEqual(
      at("2096-01-01"),
    );
    const posts = {
      "_posts/2099-01-01-a.md": "",
      "_posts/2099-01-01-b.md": TEXT.replace("99", "98"),
    };
    const read = readFiles(posts);
    expect(shownOf(read, "_posts--2099-01-01-a")).toEqual(at("2099-01-01"));
    expect(shownOf(read, "_posts--2099-01-01-b")).toEqual(at("2098-01-01"));
  });
});

it("X22g: texts of an entry in several languages are published together, on the latest date", () => {
  const text = (lines: string) => `---\n${lines}\n---\n`;
  const files = {
    "a.en.md": text("publishDate: 2099-01-01\nexpiryDate: 2100-01-01"),
    "a.de.md": text("publishDate: 2099-02-01"),
    "b.en.md": text("publishDate: 2099-01-01"),
    "b.de.md": text("publishDate: 2099-03-01\ndraft: true"),
    "c.en.md": text("publishDate: 2099-01-01"),
    "c.de.md": text("expiryDate: 2098-01-01"),
  };
  const read = readFiles(files);
  expect(["a", "b", "c"].map((id) => shownOf(read, id))).toEqual([
    ["published", "2099-02-01T00:00:00Z", "2100-01-01T00:00:00Z"],
    ["draft", "2099-01-01T00:00:00Z"],
    ["draft"],
  ]);
  expect(read.report.warnings).toContain(
    "2 entries have texts with other dates of publication: the latest holds for all languages, as does the first end: a, c",
  );
  expect(shownOf(readFiles(files, { locale: "en" }), "c")).toEqual([
    "published",
    "2099-01-01T00:00:00Z",
  ]);
});

it("X22f: members that mean nothing here are fields, and are told once each, where they hold back", () => {
  const told = [
    ...["unlisted: true", "hidden: yes", "noindex: 1", "robots: noindex, follow", "sitemap: false"],
    ...["sitemap: { disable: true }", "searchable: no", "excludeFromFeed: true", "exclude: [x]"],
    ...["eleventyExcludeFromCollections: true", "build: { list: never }", "expires: 2001-01-01"],
    ...[
      "visibility: paid",
      "access: [tiers, x]",
      "status: unlisted",
      "archived: true",
      "hide: yes",
    ],
    ...["visible: false", "enabled: no", "live: 0", "embargo_until: 2099-01-01"],
    "release_date: 2099-01-01",
  ];
  for (const line of told) {
    const name = line.split(":")[0] as string;
    const text = `---\n${line}\n---\n`;
    const read = readFiles({ "a.md": text, "b.md": text });
    expect(shownOf(read)).toEqual(["published"]);
    expect(Object.keys(fieldsOf(read))).toEqual([name]);
    expect(read.report.warnings).toEqual([
      `2 texts have "${name}", which means nothing here: a.md, b.md`,
    ]);
  }
  const silent =
    "unlisted: false\nrobots: index\nsitemap: true\nlive: true\nrelease_date: soon\nexclude: []\nexpires:";
  expect(readText(`---\n${silent}\n---\n`).report.warnings).toEqual([]);
});
