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
