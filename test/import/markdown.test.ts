import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ignoredBy } from "../../src/import/markdown/path-patterns.ts";
import { markdown } from "../../src/import/markdown.ts";
import type { SvcError } from "../../src/workspace/errors.ts";
import { importRows, type Loose, left } from "../support/import-rows.ts";
import { folderOf, readFiles as read, readFolder } from "../support/markdown-folder.ts";
import { NO_OPTIONS, type Read } from "../support/read-export.ts";
import { SVG } from "../support/sanity/dataset.ts";
import { TestBed } from "../support/test-bed.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

/** A text, as rows have it. */
function textOf([path, text]: [string, string | null]): [string, string] {
  if (text === null) return [path, path.endsWith(".svg") ? SVG : ""];
  if (text === "$1000") return [path, "x".repeat(1000)];
  if (text === "$199") return [path, `---\na: ${nested(199)}\n---\n`];
  return [path, text.startsWith("=") ? `---\n${text.slice(1)}\n---\n` : text];
}

const BODY = '{"type":"text","format":"markdown"}';
const isBody = (field: unknown) => JSON.stringify(field) === BODY;

importRows("markdown", {
  source: ["files", "texts", "lines", "folder", "schema"],
  read({ files = {}, texts = "", lines = [], folder = "", schema }, options) {
    const empty = texts.split(" ").flatMap((path: string) => (path ? [[path, null]] : []));
    const numbered = lines.map((one: string, at: number) => [
      `${String(at).padStart(2, "0")}.md`,
      `=${one}`,
    ]);
    const all = [...Object.entries(files), ...empty, ...numbered].map(textOf);
    const path = folderOf(Object.fromEntries(all));
    if (schema == null) return readFolder(join(path, folder), options);
    const file = join(path, "..", "models.json");
    const text = typeof schema === "string" ? schema : JSON.stringify({ models: schema });
    writeFileSync(file, text);
    return readFolder(path, { schema: file, ...options });
  },
  plainData({ path = null, body = null, ...data }, id) {
    const isOwn = path === id.replaceAll("--", "/");
    return { ...data, ...(!isOwn && { path }), ...(body !== "" && { body }) };
  },
  plainFields({ path, body, ...fields }) {
    return { ...fields, ...(path !== "text" && { path }), ...(!isBody(body) && { body }) };
  },
  views: {
    /** The paths of drafts. */
    held: ({ entries }) => draftsOf({ entries }).sort().join(" "),
    typed: ({ items }) => (items[0] as Loose).record.import.types ?? null,
    count: ({ entries }) => entries.length,
    links: ({ entries }) =>
      Object.fromEntries(
        entries.flatMap(({ id, data }) => (data.links ? [[id, shownLinks(data.links)]] : [])),
      ),
    /** Where entries are drafts. */
    hiddenIn: ({ entries }) =>
      Object.fromEntries(
        entries.flatMap(({ id, draft }) => (draft ? [[id, Object.keys(draft)]] : [])),
      ),
    fromOf: ({ entries }) =>
      Object.fromEntries(entries.map((one) => [one.id, one.publishAt ?? null])),
    /** How many files became no entry. */
    told: ({ fates }) => {
      const files = fates.filter(({ kind }) => kind === "asset" || kind === "file");
      return new Set(files.map(({ id }) => id)).size;
    },
  },
});

const draftsOf = ({ entries }: Pick<Read, "entries">) =>
  entries.flatMap(({ id, draft }) => (draft ? [id.replaceAll("--", "/")] : []));

const shownLinks = (links: unknown) =>
  (links as { data: { href: string; reference?: object; asset?: object } }[]).map(
    ({ data: { href, reference, asset } }) =>
      `${href} → ${Object.values({ ...reference, ...asset }).join()}`,
  );

const idsOf = ({ entries }: Read) => entries.map(({ id, data }) => [id, data.body]);

describe("X25e: of two texts with one name", () => {
  const pairs = [
    ["post.mdx", "post.md"],
    ["post.md", "post.mdx"],
    ["post.markdown", "post.md"],
    ["post.markdown", "post.mdx"],
    ["post.Rmd", "post.md"],
  ] as const;
  it.each(pairs)("%s keeps its id when %s is there too", (earlier, later) => {
    const first = read({ [earlier]: "one" });
    const both = { [earlier]: "one", [later]: "two" };
    const second = read(both, { before: () => left(first, {}) });
    expect(new Map(idsOf(second) as [])).toEqual(
      new Map([
        ["post", "one"],
        [later, "two"],
      ]),
    );
    expect(second.report.warnings).toContain(
      `1 text has the name of another one, and so the ending in the id: ${later}`,
    );
    const third = read(
      { ...both, [earlier]: "one, edited", [later]: "" },
      { before: () => left(second, {}) },
    );
    expect(new Map(idsOf(third) as [])).toEqual(
      new Map([
        ["post", "one, edited"],
        [later, ""],
      ]),
    );
  });

  it("the first time .md has the id, then .mdx", () => {
    expect(idsOf(read({ "a.Rmd": "3", "a.md": "1", "a.mdx": "2" }))).toEqual([
      ["a", "1"],
      ["a.Rmd", "3"],
      ["a.mdx", "2"],
    ]);
    expect(idsOf(read({ "a.Rmd": "3", "a.mdx": "2" }))[0]).toEqual(["a", "2"]);
  });
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
  expect(read.items[0]).toMatchObject({ record: { id: "Linked" } });
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

it("X22i: patterns are those of .gitignore", () => {
  const fits = (lines: string, path: string) => ignoredBy(lines.split(" "))(path);
  for (const [lines, path] of [
    ["a", "a"],
    ["a", "x/a/b.md"],
    ["a/", "a/b.md"],
    ["/a*", "abc/d.md"],
    ["a/**", "a/b/c.md"],
    ["**/a", "a"],
    ["**/a/*.md", "x/y/a/b.md"],
    ["a/**/b", "a/b"],
    ["[ab].md", "x/b.md"],
    ["[!ab].md", "c.md"],
    ["a?.md", "ab.md"],
    ["{a,b*}.md", "bc.md"],
    ["\\#a", "#a"],
    ["!a a", "a"],
    ["[a-c]x[!/-9].md", "bxy.md"],
    ["a**b", "a/x/b"],
    ["{a,b{c,d}}", "bd"],
    ["{a}", "{a}"],
    ["**/*/**/b*", "a/b"],
    ["a/**/**/**/b/*", "a/x/y/b/c"],
    ["a+(b).md", "a+(b).md"],
  ] as const)
    expect(fits(lines, path), `${lines} ${path}`).toBe(true);
  for (const [lines, path] of [
    ["", "a"],
    ["#a", "#a"],
    ["a", "ab"],
    ["a/", "a"],
    ["/a", "x/a"],
    ["a/b", "x/a/b"],
    ["*.md", "a.mdx"],
    ["a/*.md", "a/b/c.md"],
    ["a?.md", "a/.md"],
    ["a !a", "a"],
    ["a.md", "abmd"],
    ["[z-a]", "b"],
    ["[!a]b", "/b"],
    ["{a,b}c", "c"],
    ["a/**/b", "a/xb"],
  ] as const)
    expect(fits(lines, path), `${lines} ${path}`).toBe(false);
});

it("X22i: no pattern takes long, whatever it is", () => {
  const path = `${"a".repeat(250)}/`.repeat(5);
  for (const line of ["*a".repeat(40), "**a".repeat(40), "**/*a".repeat(40), "{a,b}*".repeat(40)]) {
    expect(ignoredBy([`${line}b`, `${line}c`])(path)).toBe(false);
  }
});

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
  const id = path.replace(/\.md$/, "").replace("/", "--");
  const { links = [] } = (entries.find((one) => one.id === id) as Loose).data;
  return { links: shownLinks(links), warnings: report.warnings };
}

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
      ["deep/c d.md → posts--deep--c-d-x0d097262", "deep/c%20d.md → posts--deep--c-d-x0d097262"],
    ],
    [
      "to folders and the root",
      "[a](../guide/) [b](/guide) [c](../)",
      ["../guide/ → guide--index", "/guide → guide--index", "../ → index"],
    ],
    [
      "wiki links by name, path and text",
      "[[far away]] [[posts/b]] [[B|text]] [[b#x]]",
      [
        "far away → Far-Away-x57dfb3e8",
        "posts/b → posts--b",
        "B|text → posts--b",
        "b#x → posts--b",
      ],
    ],
    [
      "images, also from the root and in HTML",
      '![x](a.svg) ![[a.svg]] <img alt="" src="/b.svg"> ![x](a\\.svg)',
      ["a.svg → posts--a.svg", "/b.svg → static--b.svg", "a\\.svg → posts--a.svg"],
    ],
    ["definitions of links", "[x][1]\n\n[1]: b.md\n", ["b.md → posts--b"]],
    [
      "from the root, as Zola has them, and of pages that generators make",
      "[a](@/posts/b.md#x) [b](b.html)",
      ["@/posts/b.md#x → posts--b", "b.html → posts--b"],
    ],
    [
      "pages by shortcodes and tags",
      '[a]({{< ref "b.md" >}}) {{% relref path="posts/b" %}} {% link posts/b.md %} {% post_url b.md %}',
      ["b.md → posts--b", "posts/b → posts--b", "posts/b.md → posts--b"],
    ],
    ...[
      '<Video title="x > y" src={1}\n  poster="./a.svg" />',
      "<picture><source srcset='./a.svg 1x'></picture>",
      '<div style="background: url(./a.svg)">',
      '<p data-src="./a.svg">',
      "import picture from './a.svg'",
      '<img src={require("./a.svg")}>',
      "{{< figure\n  src='./a.svg' >}}",
      "{% asset ./a.svg %}",
      '{{ image(path="./a.svg") }}',
      "::img{src=./a.svg}",
      '---\na: [{ b: "<img src=./a.svg>" }]\n---\n',
    ].map((text) => [`X23c: ${text}`, text, ["./a.svg → posts--a.svg"]] as const),
  ];
  it.each(found)("%s", (_, text, links) => {
    const { links: shown, warnings } = linksOf(text);
    expect(shown).toEqual(links);
    expect(warnings.filter((one) => !one.includes("MDX"))).toEqual([]);
  });

  it("nothing outside of the folder is read", () => {
    const folder = folderOf({ "a.md": "![x](../secret.svg) ![y](link.svg)", ".git/b.md": "" });
    writeFileSync(join(folder, "..", "secret.svg"), SVG);
    symlinkSync(join(folder, "..", "secret.svg"), join(folder, "link.svg"));
    const { assets, entries } = readFolder(folder);
    expect(assets).toEqual([]);
    expect(entries).toHaveLength(1);
  });
});

describe("X19e: values", () => {
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
});

describe("markdown: what is no folder of texts is refused, with its place", () => {
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
      "an unknown alias",
      "---\na: 1\nb: *x\n---\n",
      /^a\.md:3:6: unidentified alias "x": put the text of "b" in quotes$/,
    ],
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
