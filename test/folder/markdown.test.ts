import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FormatOptions } from "../../src/folder/format.ts";
import { markdown } from "../../src/folder/markdown.ts";
import type { SvcError } from "../../src/workspace/errors.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { NO_OPTIONS, readExport } from "../support/read-export.ts";
import { SVG } from "../support/sanity/dataset.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";

function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = join(temporaryFolder(), "site");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const readFolder = (folder: string, options: Partial<FormatOptions> = {}) =>
  readExport(markdown, [folder], options);

const read = (files: Readonly<Record<string, string | Buffer>>, options = {}) =>
  readFolder(folderOf(files), options);

/** The links of one text beside some files, as `href → target`. */
function linksOf(text: string, path = "posts/a.md") {
  const files = {
    [path]: text,
    "posts/b.md": "",
    "posts/deep/c d.md": "",
    "index.md": "",
    "guide/index.md": "",
    "posts/a.svg": SVG,
    "static/b.svg": SVG,
    "Far Away.md": "",
  };
  const { entries, report } = read(files, { links: "references" });
  const { links = [] } = (entries.find(({ data }) => data.body === text) as Entry).data;
  const shown = (links as { data: { href: string; reference?: object; asset?: object } }[]).map(
    ({ data: { href, reference, asset } }) =>
      `${href} → ${Object.values({ ...reference, ...asset }).join()}`,
  );
  return { links: shown, warnings: report.warnings };
}

describe("X19: a text is an entry", () => {
  it("its folder is its model; front matter, body and path are its fields", () => {
    const text =
      "---\ntitle: A\ntags: [x, y]\nrank: 1.5\ndate: 2026-11-21\nseo:\n  no: true\nold:\n---\n\n# A\n";
    const { entries, models } = read({ "posts/2026/a.md": text, "about.md": "Hi\n" });
    expect(entries).toEqual([
      { id: "about", modelId: "page", data: { path: "about", body: "Hi\n" } },
      {
        id: "posts--2026--a",
        modelId: "posts",
        data: {
          title: "A",
          tags: ["x", "y"],
          rank: 1.5,
          date: "2026-11-21",
          seo: { contentBlockId: "posts_seo", data: { no: true } },
          path: "posts/2026/a",
          body: "\n# A\n",
        },
      },
    ]);
    expect(models[1]?.fields.at(-1)).toEqual({ key: "body", type: "text", format: "markdown" });
    expect(models[1]?.fields.map(({ key, type }) => `${key} ${type}`)).toEqual([
      "title text",
      "tags text",
      "rank number",
      "date date",
      "seo content-block",
      "path text",
      "body text",
    ]);
  });

  it("index files have the path of their folder; an own member keeps its name", () => {
    const files = { "index.md": "", "a/_index.md": "", "b/README.md": "---\npath: /x\n---\n" };
    expect(read(files).entries.map(({ data }) => data.path)).toEqual(["a", "/x", "/"]);
    expect(read(files).entries[1]?.data.markdown_path).toBe("b");
  });

  /** An import of drafts alone has another warning. */
  const PUBLIC = { "b.md": "" };
  const said: readonly (readonly [string, boolean])[] = [
    ...["true", "yes", '"true"', "True", "ON", "1", '"1"', "2"].map(
      (value) => [value, true] as const,
    ),
    ...["false", "no", '"false"', "Off", "0", '"0"', "null", ""].map(
      (value) => [value, false] as const,
    ),
  ];
  it.each(said)(
    "X19c: draft: %s is a draft: %s, in any letter case of the name",
    (value, isDraft) => {
      for (const name of ["draft", "Draft", "DRAFT"]) {
        const { entries, report } = read({ "a.md": `---\n${name}: ${value}\n---\n`, ...PUBLIC });
        expect(entries.slice(0, 1)).toEqual([
          {
            id: "a",
            modelId: "page",
            data: { path: "a", body: "" },
            ...(isDraft && { draft: true }),
          },
        ]);
        expect(report.warnings).toEqual([]);
      }
    },
  );

  it.each(["2026-11-21", "[false]", "{ a: 1 }", "maybe", '""'])(
    "draft: %s is neither: it is a draft, with a warning",
    (value) => {
      const { entries, report } = read({ "a.md": `---\ndraft: ${value}\n---\n`, ...PUBLIC });
      expect(entries[0]?.draft).toBe(true);
      expect(report.warnings).toEqual([
        'a.md: "draft" is neither true nor false: the text is taken as a draft',
      ]);
    },
  );

  const yaml: readonly (readonly [yaml: string, data: object])[] = [
    ['t: "one\ntwo"\nu: 1', { t: "one two", u: 1 }],
    ["t: 'one\n\ntwo'", { t: "one\ntwo" }],
    ["t: one\n  two", { t: "one two" }],
    ["t: [a,\nb\n]", { t: ["a", "b"] }],
    ["t: >-\n  one\n  two\nu: |\n  x\n  y", { t: "one two", u: "x\ny\n" }],
    ["t:\tone\t\nu:\n- a\n-\tb", { t: "one", u: ["a", "b"] }],
    ["t: a\r\nu: b\r", { t: "a", u: "b" }],
    ["d: 2026-11-21\ne: 2026-11-21 10:00:00", { d: "2026-11-21", e: "2026-11-21 10:00:00" }],
    ["t: !any one\nb: !!binary aGk=", { t: "one", b: "aGk=" }],
    ["s: &s [a, b]\nt: *s", { s: ["a", "b"], t: ["a", "b"] }],
    ["y: yes\nn: ~\ni: .inf", { y: "yes", i: ".inf" }],
  ];
  it.each(yaml)("X19e: YAML is read as most readers take it: %j", (text, data) => {
    const { entries } = read({ "a.md": `---\n${text}\n---\n` });
    expect(entries[0]?.data).toEqual({ ...data, path: "a", body: "" });
  });

  it("X19e: << merges, and front matter may end with three dots", () => {
    const text = "---\na: &a { x: 1, y: 2 }\nb:\n  <<: *a\n  y: 3\n...\ntext";
    const { entries } = read({ "a.md": text });
    expect(entries[0]?.data).toMatchObject({ b: { data: { x: 1, y: 3 } }, body: "text" });
  });

  it("lines of dashes later in a text are text, also in Windows' line ends", () => {
    expect(read({ "a.md": "x\n---\na: 1\n---\n" }).entries[0]?.data.body).toBe(
      "x\n---\na: 1\n---\n",
    );
    expect(read({ "a.md": "---\r\na: 1\r\n---\r\nx" }).entries[0]?.data).toEqual({
      a: 1,
      path: "a",
      body: "x",
    });
    expect(read({ "a.md": "---\n---\nx" }).entries[0]?.data).toEqual({ path: "a", body: "x" });
  });
});

describe("X19a: links of a text", () => {
  const found: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "relative, with and without extension",
      "[a](b.md) [b](./b#x)",
      ["b.md → posts--b", "./b#x → posts--b"],
    ],
    [
      "escaped, in brackets, with a title",
      '[c](<deep/c d.md>) [d](deep/c%20d.md "t")',
      ["deep/c d.md → posts--deep--c-d", "deep/c%20d.md → posts--deep--c-d"],
    ],
    [
      "to folders and the root",
      "[a](../guide/) [b](/guide) [c](../)",
      ["../guide/ → guide--index", "/guide → guide--index", "../ → index"],
    ],
    [
      "wiki links by name, path and text",
      "[[far away]] [[posts/b]] [[B|text]] [[b#x]]",
      ["far away → Far-Away", "posts/b → posts--b", "B|text → posts--b", "b#x → posts--b"],
    ],
    [
      "images, also from the root and in HTML",
      '![x](a.svg) ![[a.svg]] <img alt="" src="/b.svg">',
      ["a.svg → posts--a.svg", "/b.svg → static--b.svg"],
    ],
    ["definitions of links", "[x][1]\n\n[1]: b.md\n", ["b.md → posts--b"]],
  ];
  it.each(found)("%s", (_, text, links) => {
    expect(linksOf(text)).toEqual({ links, warnings: [] });
  });

  it("X19g: those to texts are text by default, and checked; those to other files are in links", () => {
    const files = { "a.md": "[b](/t/) [c](gone.md) ![x](a.svg)", "t/index.mdx": "", "a.svg": SVG };
    const { entries, report } = read(files);
    const link = { href: "a.svg", asset: { assetId: "a.svg" } };
    expect(entries[0]?.data.links).toEqual([{ contentBlockId: "link", data: link }]);
    expect(report.warnings).toEqual(['a.md: the link to "gone.md" leads to no file of the folder']);
    const { data } = read(files, { links: "references" }).entries[0] as Entry;
    expect(data.links).toMatchObject([
      { data: { href: "/t/", reference: { contentEntryId: "t--index" } } },
      { data: link },
    ]);
  });

  it("code has none, in a list neither, and an open span ends with its paragraph", () => {
    const list = "- x\n\n      ```\n  [a](gone.md)\n\n  ```\n\n";
    expect(linksOf(`${list}an \`open span\n\n[x](b.md) \``)).toEqual({
      links: ["b.md → posts--b"],
      warnings: [],
    });
  });

  it("code has none", () => {
    const text = "`[a](b.md)` ``[[b]] ` ``\n\n```md\n[a](b.md)\n```\n\n~~~\n[[b]]\n~~~\n[x](b.md)";
    expect(linksOf(text)).toEqual({ links: ["b.md → posts--b"], warnings: [] });
  });

  it("those to other sites and into the text itself are none, those to no file a warning", () => {
    const text = "[a](https://example.com/b.md) [b](#x) [c](mailto:a@b.c) [d](gone.md) [[nobody]]";
    expect(linksOf(text)).toEqual({
      links: [],
      warnings: [
        'posts/a.md: the link to "gone.md" leads to no file of the folder',
        'posts/a.md: the link to "nobody" leads to no file of the folder',
      ],
    });
  });

  it("nothing outside of the folder is read", () => {
    const folder = folderOf({ "a.md": "![x](../secret.svg) ![y](link.svg)", ".git/b.md": "" });
    writeFileSync(join(folder, "..", "secret.svg"), SVG);
    symlinkSync(join(folder, "..", "secret.svg"), join(folder, "link.svg"));
    const { assets, entries } = readFolder(folder);
    expect(assets).toEqual([]);
    expect(entries).toHaveLength(1);
  });

  it("X19b: a member that is one is a pointer, unless the field has other texts", () => {
    const matter = (lines: string) => `---\n${lines}\n---\n`;
    const files = {
      "a.md": matter('to: "[[b]]"\nimage: a.svg\nnote: "[[b]]"'),
      "b.md": matter('to: "[[a]]"\nimage: ./a.svg\nnote: see a'),
      "a.svg": SVG,
    };
    const { entries, models, assets, fates } = read(files);
    const records = fates.filter(({ kind }) => kind === "entry" || kind === "asset");
    expect(
      records.map(({ id, became }) => `${id} ${became?.id}`),
      "X9",
    ).toEqual(["a.md a", "b.md b", "a.svg a.svg"]);
    expect(entries.map(({ data: { to, image, note } }) => ({ to, image, note }))).toEqual([
      { to: { contentEntryId: "b" }, image: { assetId: "a.svg" }, note: "[[b]]" },
      { to: { contentEntryId: "a" }, image: { assetId: "a.svg" }, note: "see a" },
    ]);
    expect(models[0]?.fields.find(({ key }) => key === "note")?.type).toBe("text");
    expect(assets).toMatchObject([{ id: "a.svg", mimeType: "image/svg+xml", width: 3, height: 2 }]);
  });
});

describe("X3g: texts in several languages are one entry", () => {
  const text = (title: string, more = "") =>
    `---\ntitle: ${title}\nrank: 1\n${more}---\n${title}\n`;
  const layouts: readonly (readonly [string, (name: string, locale: string) => string])[] = [
    ["folders", (name, locale) => `${locale}/posts/${name}.md`],
    ["folders in a folder", (name, locale) => `content/${locale}/posts/${name}.md`],
    ["ends of names", (name, locale) => `posts/${name}.${locale}.md`],
  ];
  it.each(layouts)("in %s, with a project for each language", (_, at) => {
    const { entries, models, items, report } = read({
      [at("a", "en")]: text("A"),
      [at("b", "en")]: text("B", "draft: true\n"),
      [at("c", "en")]: text("C"),
      [at("e", "en")]: text("E"),
      [at("a", "de")]: text("Ä"),
      [at("b", "de")]: text("Be"),
      [at("d", "de")]: text("D"),
    });
    const shown = entries.map(({ id, draft, data: { title, rank } }) => ({
      id,
      draft,
      title,
      rank,
    }));
    shown.sort((one, other) => (one.id < other.id ? -1 : 1));
    const prefix = at("", "en").startsWith("content") ? "content--posts--" : "posts--";
    expect(shown).toEqual(
      [
        { id: `${prefix}a`, title: { en: "A", de: "Ä" }, rank: 1 },
        { id: `${prefix}b`, title: { en: "B", de: "Be" }, rank: 1, draft: { en: true } },
        { id: `${prefix}c`, title: { en: "C" }, rank: 1 },
        { id: `${prefix}d`, title: { de: "D" }, rank: 1, draft: { en: true } },
        { id: `${prefix}e`, title: { en: "E" }, rank: 1 },
      ].map((one) => ({ draft: undefined, ...one })),
    );
    const fields = models[0]?.fields.map(({ key, localized }) => `${key} ${localized ?? false}`);
    expect(fields).toEqual(["title true", "rank false", "path false", "body true"]);
    const projects = items.flatMap((item) => (item.kind === "projects" ? [item.record] : []));
    expect(
      projects.map(({ id, locale, fallbackLocales }) => [id, locale, fallbackLocales]),
    ).toEqual([
      ["site", "en", undefined],
      ["site-de", "de", ["en"]],
    ]);
    expect(report.warnings).toEqual([]);
  });

  it("a text without a language is in the main one, which --locales names first", () => {
    const files = { "a.md": "x", "a.de.md": "y [a](a.md)", "b.md": "" };
    const found = read(files);
    expect(found.entries.map(({ id, data: { body } }) => [id, body])).toEqual([
      ["a", { en: "x", de: "y [a](a.md)" }],
      ["b", { en: "" }],
    ]);
    expect(found.report.warnings).toEqual([
      'texts that name no language are taken as "en": --locales names it first',
    ]);
    const named = read(files, { locales: ["pt_br", "de"] });
    expect(named.entries[0]?.data.body).toEqual({ "pt-BR": "x", de: "y [a](a.md)" });
    expect(named.report.warnings).toEqual([]);
    expect(read(files, { locales: ["en"] }).entries).toHaveLength(3);
  });

  it("X3c: --locale takes one, and its texts are text", () => {
    const files = {
      "en/a.md": text("A"),
      "de/a.md": text("Ä", "draft: true\n"),
      "en/b.md": text("B"),
    };
    const { entries } = read(files, { locale: "de" });
    expect(entries.map(({ data: { title }, draft }) => [title, draft])).toEqual([
      ["Ä", true],
      ["B", undefined],
    ]);
  });

  it("is found where texts are there in another language only: it/ may be about computers", () => {
    const files = { "it/index.md": "", "index.md": "", "it/x.md": "", "no/y.md": "", "v.1.md": "" };
    const { entries, report } = read(files);
    expect(entries.map(({ id }) => id)).toEqual(["index", "it--index", "it--x", "no--y", "v.1"]);
    expect(report.locale).toBeUndefined();
  });
});

describe("X20: the models of Markdown are kept in a file", () => {
  it("which the next import takes them from; what it has not is found, with a warning", () => {
    const folder = folderOf({ "a.md": "---\nkind: x\n---\n", "b.md": "---\nnew: 1\n---\n" });
    const schema = join(folder, "..", "models.json");
    const { definitions } = readFolder(folder, { schema });
    const [page] = definitions?.models ?? [];
    const fields = [
      { key: "kind", type: "select", options: ["x", "y"], required: true },
      ...(page?.fields.filter(({ key }) => key === "path" || key === "body") ?? []),
    ];
    writeFileSync(schema, JSON.stringify({ models: [{ ...page, name: "Page", fields }] }));
    const { models, report } = readFolder(folder, { schema });
    expect(models).toEqual([
      { ...page, name: "Page", fields: [...fields, { key: "new", type: "number" }] },
    ]);
    expect(report.warnings).toEqual(["page.new is not defined in the file of --schema"]);
  });

  it("a file with faults is refused, with the place", () => {
    const folder = folderOf({ "a.md": "" });
    const schema = join(folder, "..", "models.json");
    const faults: readonly (readonly [string, string])[] = [
      ["{", "has no models"],
      ["[]", "it is not a JSON object"],
      ['{"models":1}', '"models" is no list'],
      [
        '{"models":[{"id":"a","key":"a","name":"a","fields":[{"key":"x","type":"no"}]}]}',
        "/models/0/fields/0/type",
      ],
    ];
    for (const [text, message] of faults) {
      writeFileSync(schema, text);
      expect(() => readFolder(folder, { schema })).toThrow(message);
    }
  });
});

describe("markdown: what is no folder of texts is refused, with its place", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [name, next] of ["ab", "bc", "cd", "de", "ef", "fg"]) {
    bomb.push(`${next}: &${next} [${Array(9).fill(`*${name}`).join()}]`);
  }
  const DEEP = "values are nested more than 200 levels deep";
  const faults: readonly (readonly [string, string | Buffer, RegExp])[] = [
    [
      "broken YAML",
      "---\na: [1\n---\n",
      /^a\.md:3:1: unexpected end of the stream within a flow collection$/,
    ],
    ["deep YAML", `---\nb: 1\na: ${nested(200)}\n---\n`, /^a\.md:3:203: values are nested more/],
    ["deeper YAML", `---\na: ${nested(20_000)}\n---\n`, RegExp(`^a\\.md:2:\\d+: ${DEEP}$`)],
    [
      "aliases of aliases",
      `---\n${bomb.join("\n")}\n---\n`,
      /^a\.md:2:1: front matter has at most 1048576 characters, also with its aliases filled in$/,
    ],
    ["an alias of itself", "---\na: &a [1, [*a]]\n---\n", RegExp(`^a\\.md:2:1: ${DEEP}$`)],
    [
      "an unknown alias",
      "---\na: 1\nb: *x\n---\n",
      /^a\.md:3:6: unidentified alias "x": put the text of "b" in quotes$/,
    ],
    ["X19d: not closed", "---\ndraft: true\nText", /^a\.md:1:1: front matter is not closed/],
    ["X19c: TOML that is not closed", "+++\r\na = 1", /^a\.md:1:1: front matter is not closed/],
    ["a member twice", "---\na: 1\nb: 1\na: 2\n---\n", /^a\.md:4:1: "a" stands twice$/],
    ["no map", "---\na = 1\n---\n", /^a\.md:2:1: front matter is no map/],
    ["no UTF-8", Buffer.from("a\né\u00ff\n", "latin1"), /^a\.md:2:1: it is not UTF-8/],
  ];
  const faultsOf = (files: Record<string, string | Buffer>) => {
    try {
      read(files);
    } catch (error) {
      const { code, problems } = error as SvcError;
      expect(code).toBe("export-invalid");
      const list = problems?.kind === "folder" ? problems.list : [];
      return list.map(({ file, line, column, message }) => {
        const place = [file, line, column].filter((part) => part !== undefined);
        return `${place.join(":")}: ${message}`;
      });
    }
    return [];
  };
  it.each(faults)("%s", (_, text, fault) => {
    expect(faultsOf({ "a.md": text, "b.md": "" })).toEqual([expect.stringMatching(fault)]);
  });

  it("X19d: the faults of all texts are reported together", () => {
    const files = Object.fromEntries(faults.map(([, text], at) => [`posts/${at}.md`, text]));
    expect(faultsOf({ ...files, "good.md": "" })).toHaveLength(faults.length);
  });

  it("X6: values may be nested up to 200 levels deep", () => {
    expect(read({ "a.md": `---\na: ${nested(199)}\n---\n` }).entries).toHaveLength(1);
  });

  it("a folder without texts", () => {
    expect(() => read({ "a.txt": "" })).toThrow("it has no file *.md");
  });

  it("a missing folder, a file, several folders", () => {
    const folder = folderOf({ "a.md": "" });
    expect(() => readFolder(join(folder, "gone"))).toThrow("there is no folder");
    expect(() => readFolder(join(folder, "a.md"))).toThrow("it is not a folder");
    expect(() => markdown.read([folder, folder], NO_OPTIONS)).toThrow("from one folder");
  });
});

describe("markdown: every text and link of a folder is accounted for", () => {
  const FIXTURE = join(import.meta.dirname, "../../fixtures/markdown");

  it("a text is published with its lines, and each link leads to a served entry or asset", () => {
    const bed = new TestBed();
    bed.store.import(
      markdown.read([FIXTURE], { ...NO_OPTIONS, links: "references" }).source,
      new Date(),
    );
    bed.publish();
    expect(bed.verify().differs).toEqual([]);
    const texts = (readdirSync(FIXTURE, { recursive: true }) as string[]).filter((name) =>
      name.endsWith(".md"),
    );
    let links = 0;
    for (const name of texts) {
      const text = readFileSync(join(FIXTURE, name), "utf8");
      const address = name.replace(/\\/g, "/").replace(/\.md$/, "");
      const experienceId = address.replaceAll("/", "--");
      const document = bed.file({ kind: "content", projectId: "markdown", experienceId });
      expect(document === undefined, name).toBe(/^draft: true$/m.test(text));
      if (document === undefined) continue;
      const [{ data }] = document.content;
      const [, matter = "", body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
      expect(data.body).toBe(body);
      for (const line of matter.split("\n")) {
        const [, key, value] = /^(\w+): (\w[\w -]*)$/.exec(line) ?? [];
        if (key !== undefined) expect(`${data[key]}`, `${name} ${key}`).toBe(value);
      }
      const served = new Set(document.references.map(({ id }: { id: string }) => id));
      served.add(document.content[0].contentEntryId);
      const count = (body ?? "").split(/\]\(|\[\[/).length - 1;
      expect(data.links?.length ?? 0, name).toBe(count);
      for (const link of data.links ?? []) {
        const { reference, asset } = link.data;
        expect(served.has(reference?.contentEntryId) || asset?.url !== undefined).toBe(true);
        links += 1;
      }
    }
    expect(links).toBe(5);
  });
});
