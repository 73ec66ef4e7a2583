import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/workspace/records.ts";
import { folderOf, readFiles as read, readFolder } from "../support/markdown-folder.ts";
import { SVG } from "../support/sanity/dataset.ts";

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
  const { links = [] } = (entries.find((one) => one.id === id) as Entry).data;
  const shown = (links as { data: { href: string; reference?: object; asset?: object } }[]).map(
    ({ data: { href, reference, asset } }) =>
      `${href} → ${Object.values({ ...reference, ...asset }).join()}`,
  );
  return { links: shown, warnings: report.warnings };
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

  it("X19g: those to texts are text by default, and checked; those to other files are in links", () => {
    const files = { "a.md": "[b](/t/) [c](gone.md) ![x](a.svg)", "t/index.mdx": "", "a.svg": SVG };
    const { entries, report } = read(files);
    const link = { href: "a.svg", asset: { assetId: "a.svg" } };
    expect(entries[0]?.data.links).toEqual([{ contentBlockId: "link", data: link }]);
    expect(report.warnings).toEqual(['1 link leads to no file of the folder: a.md:1 "gone.md"']);
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

  it("those to other sites, into the text itself and of templates are none, and footnotes neither", () => {
    const text = `[a](https://example.com/b.md) [b](#x) [c](mailto:a@b.c) [d](?page=2) [e]({{ site.url }}/b.md) x[^1]
[f]({% x %}/gone.md) <https://example.com/a.svg> <a href="{{ url }}/b.md">

[^1]: As everyone knows

[1]: see above`;
    expect(linksOf(text)).toEqual({ links: [], warnings: [] });
  });

  it("X23c: those to no file are one warning, with their lines; so are files that are named otherwise", () => {
    const text = `---
cover: ./gone.png
---
[a](gone.md) \`x

[[nobody]] [b](@/gone.md)
y\` {{< ref "gone" >}} <A b="./gone.svg" c="gone.mp4" d="1.5" e="console.log" f="./Chart.jsx" />`;
    expect(linksOf(text).warnings).toEqual([
      '4 links lead to no file of the folder: posts/a.md:4 "gone.md", posts/a.md:6 "nobody", posts/a.md:6 "@/gone.md" and 1 more',
      '3 files are named and not there: posts/a.md:7 "./gone.svg", posts/a.md:7 "gone.mp4", posts/a.md:2 "./gone.png"',
    ]);
  });

  it("X23k: so are pictures from the root; no other addresses there, nor those of other sites", () => {
    const text =
      "---\ncover: /gone.png\nurl: /a/b.html\n---\n![x](/img/gone.svg) [y](/about) ![z](//a.b/c.png) [p](/a.pdf)";
    expect(linksOf(text).warnings).toEqual([
      '1 link leads to no file of the folder: posts/a.md:5 "/img/gone.svg"',
      '1 file is named and not there: posts/a.md:2 "/gone.png"',
    ]);
  });

  it("X23k: a missing picture of front matter is told once, where most values of the field are pictures too", () => {
    const post = (cover: string) => `---\ncover: ${cover}\n---\n`;
    const { report } = read({
      "a.svg": SVG,
      "1.md": post("a.svg"),
      "2.md": post("a.svg"),
      "3.md": post("./gone.svg"),
    });
    expect(report.warnings).toEqual([
      expect.stringMatching(/^1 value does not fit page\.cover .*: 3\.md:2$/),
    ]);
  });

  it("X23j: files of Hexo, from the root and in the folder of a text, whose texts are none", () => {
    const text = "![](/images/a.svg) ![](b.svg) {% asset_img c.svg alt %} [d](d.md) ![](/b.svg)";
    const posts = (name: string) => `source/_posts/${name}`;
    const { entries, report } = read(
      {
        [posts("a.md")]: text,
        [posts("a/b.svg")]: SVG,
        [posts("a/c.svg")]: SVG,
        [posts("a/d.md")]: "",
        "source/images/a.svg": SVG,
      },
      { links: "references" },
    );
    const { links } = (entries[0] as Entry).data as {
      links: { data: { asset: { assetId: string } } }[];
    };
    expect(links.map(({ data }) => data.asset.assetId)).toEqual(
      ["images--a.svg", "_posts--a--b.svg", "_posts--a--c.svg"].map((id) => `source--${id}`),
    );
    expect(report.warnings[0]).toBe(
      '2 links lead to no file of the folder: source/_posts/a.md:1 "d.md", source/_posts/a.md:1 "/b.svg"',
    );
  });

  it("X23j: blocks of MyST, but not in code", () => {
    const text =
      "```{figure} a.svg\n:name: x\n![](gone.svg)\n```\n\n:::{image} ../static/b.svg\n:::\n````\n```{figure} gone.svg\n```\n````\n~~~{code} gone.svg\n~~~\n";
    expect(linksOf(text)).toEqual({
      links: ["a.svg → posts--a.svg", "../static/b.svg → static--b.svg"],
      warnings: [],
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

it("X19b: a name that is not the very one of another file is a text", () => {
  const values = {
    title: "v1.1.0",
    domain: "b.com",
    feed: "/feed.xml",
    page: "/b.html",
    own: "a.md",
  };
  const files = { "b.com.md": "", "feed.md": "", "b.md": "", "v1.1.0.md": "", "e f.md": "" };
  const lines = Object.entries({ ...values, to: "./b.md#y", far: "/e%20f.md" });
  const text = `---\n${lines.map(([name, value]) => `${name}: ${value}`).join("\n")}\n---\n`;
  const { entries, report } = read({ ...files, "a.md": text });
  const { data } = entries.find(({ id }) => id === "a") as Entry;
  expect(data).toMatchObject({
    ...values,
    to: { contentEntryId: "b" },
    far: { contentEntryId: expect.any(String) },
  });
  expect(report.warnings).toEqual([]);
});

describe("X23: which files are what", () => {
  it("X23a: a file with front matter is a text whatever its ending; its rest is of that ending, and no Markdown", () => {
    const { entries, models, report } = read({
      "p/a.mdoc": "{% x %}",
      "p/b.html": "---\ntitle: B\n---\n<p>b</p>",
      "p/b.md": "[b](b.html)",
      "p/c.adoc": "---\ntitle: C\n---\nc",
      "p/d.html": "<p>none</p>",
      "p/e.xml": "---\nlayout: null\n---\n<x/>",
      "p/f.astro": "---\na: 1\n---\n<x/>",
      "p/g.txt": "---\nnot closed",
    });
    expect(entries.map(({ id, data }) => [id, data])).toEqual([
      ["p--a", { path: "p/a", body: "{% x %}" }],
      ["p--b.html", { title: "B", path: "p/b", html: "<p>b</p>" }],
      ["p--b", { path: "p/b", body: "[b](b.html)" }],
      ["p--c.adoc", { title: "C", path: "p/c", adoc: "c" }],
    ]);
    expect(models[0]?.fields.filter(({ key }) => /html|adoc/.test(key))).toEqual([
      { key: "html", type: "text" },
      { key: "adoc", type: "text" },
    ]);
    expect(report.leftOut).toEqual({
      "files .html": 1,
      "files .xml": 1,
      "files .astro": 1,
      "files .txt": 1,
    });
  });

  it("X23b: data files are entries of their folder without a rest; configurations and lists are none", () => {
    const { entries, models, fates, report } = read({
      "people/ada.yml": "---\nname: Ada\nzip: 01234\nphoto: ada.svg\n",
      "people/ben.json": '{\n\t"name": "Ben \\u00e4\\/",\n\t"boss": "./ada.yml"\n}',
      "people/cy.toml": 'name = "Cy"\npath = "x"',
      "people/ada.svg": SVG,
      "people/list.yml": "- 1",
      "people/two.yml": "a: 1\n---\na: 2\n",
      "people/_category_.json": "{}",
      "people/people.json": '{ "layout": "x" }',
      "docs/a.md": "[open](api.json)",
      "docs/api.json": '{ "openapi": 3 }',
      "docs/a.11tydata.json": "{}",
      "package.json": "{}",
      "hugo.toml": "",
    });
    expect(entries.map(({ id, modelId, data }) => [id, modelId, data])).toEqual([
      ["docs--a", "docs", expect.objectContaining({ body: "[open](api.json)" })],
      [
        "people--ada.yml",
        "people",
        { name: "Ada", zip: "01234", photo: { assetId: "people--ada.svg" }, path: "people/ada" },
      ],
      [
        "people--ben.json",
        "people",
        { name: "Ben ä/", boss: { contentEntryId: "people--ada.yml" }, path: "people/ben" },
      ],
      ["people--cy.toml", "people", { name: "Cy", path: "x", markdown_path: "people/cy" }],
    ]);
    expect(models[1]?.fields.some(({ key }) => key === "body")).toBe(false);
    expect(report.leftOut).toEqual({ "files .json": 4, "files .toml": 1, "files .yml": 2 });
    const told = fates.filter(({ kind }) => kind === "asset" || kind === "file");
    expect(new Set(told.map(({ id }) => id)).size).toBe(9);
  });

  it("X23b: a data file with front matter is a text, or none; those with secrets are counted, and entries told", () => {
    const { entries, report } = read({
      "a.md": "",
      "k.yml": "---\ntitle: kk\n---\nbody",
      "search.json": "---\nlayout: none\n---\n[{% for %}]",
      "index.json": "---\nlayout: null\n---\n[{% for %}]",
      "m.yml": "# told\n---\nname: M\n",
      "api-tokens.yml": "a: 1",
      "prod.env.json": '{ "a": 1 }',
    });
    expect(entries.map(({ id, data: { path: _, ...data } }) => [id, data])).toEqual([
      ["a", { body: "" }],
      ["k.yml", { title: "kk", yml: "body" }],
      ["m.yml", { name: "M" }],
      ["search.json", { layout: "none", json: "[{% for %}]" }],
    ]);
    expect(report.leftOut).toEqual({ "data files with secrets": 2, "files .json": 1 });
    expect(report.warnings).toEqual([
      "1 data file is an entry published as texts are, with all values: m.yml",
    ]);
    const faulty = { "a.md": "", "k.yml": "---\na: [\n---\nbody" };
    expect(() => read(faulty)).toThrow("1 text of");
  });

  it.each([
    ["hugo.toml", ["archetypes", "data", "i18n", "themes/x"]],
    ["_config.yml", ["scaffolds", "themes/x"]],
  ])("X23h: templates and data of the generator that %s is of are left out", (config, folders) => {
    const inside = folders.map((name) => [`${name}/a.md`, "---\ntitle: '{{ x }}\n---\n"]);
    const files = {
      ...Object.fromEntries(inside),
      [config]: "source_dir: x",
      "posts/data/a.md": "",
    };
    const { entries, report } = read(files);
    expect(entries.map(({ id }) => id)).toEqual(["posts--data--a"]);
    expect(report.leftOut).toMatchObject({ "folders of the generator": folders.length });
  });

  it("X23b: a data file with a fault is refused, with its place", () => {
    const files = { "a.md": "", "b.json": '{\n"a": }', "c.toml": "a = 1\nb =", "d.yml": "a: [1" };
    expect(() => read(files)).toThrow("3 texts of");
  });

  it("X23e: what is not imported is counted by its ending, and each file is in the report once", () => {
    const files = {
      "a.md": "![](a.svg)",
      "a.svg": SVG,
      "b.PSD": "",
      "deep/c.psd": "",
      LICENSE: "",
      ".obsidian/a.md": "",
      ".git/a": "",
      "node_modules/a/b.js": "",
      "out/workspace.json": "{}",
      "out/entries/a.md": "",
    };
    const { entries, fates, report } = read(files);
    expect(entries).toHaveLength(1);
    expect(report.leftOut).toEqual({
      "files .psd": 2,
      "files without an ending": 1,
      "folders that svc has written": 1,
      "hidden files and folders": 1,
    });
    const told = fates.flatMap(({ kind, id, lost }) => (kind === "file" ? [`${id}: ${lost}`] : []));
    expect(told).toEqual([
      ".obsidian: it is hidden",
      "LICENSE: no text names it",
      "b.PSD: no text names it",
      "deep/c.psd: no text names it",
      "out: it is a workspace folder, or a published one",
    ]);
  });

  it("X4: a folder without texts is refused, with what is there", () => {
    expect(() => read({ "a.txt": "", "b.psd": "", "c.psd": "" })).toThrow(
      "it has no text, but files .txt (1), files .psd (2)",
    );
  });

  it("X23d: statements and components of MDX stay in bodies, and are counted once", () => {
    const body = "import A from 'a'\nexport const b = 1\n\n<Aside b={1}>x</Aside> `<Box/>`\n";
    const { entries, report } = read({
      "a.mdx": body,
      "b.mdx": "<Chart /> <br/>",
      "c.md": "List<Text> <Text>",
    });
    expect(entries[0]?.data.body).toBe(body);
    expect(report.warnings).toEqual([
      "2 texts have MDX that is no text for readers (2 import or export statements, 2 components): a.mdx, b.mdx",
    ]);
  });

  it.each([
    [
      "beside nothing else",
      { "a-post/index.md": "", "a-post/a.svg": SVG },
      { "a-post--index": "page" },
    ],
    [
      "in another folder",
      { "blog/a/index.md": "", "blog/b/index.md": "" },
      { "blog--a--index": "blog", "blog--b--index": "blog" },
    ],
    [
      "with languages and partials",
      { "a/index.de.md": "", "a/index.md": "", "a/_b.md": "", "a/_c/d.md": "" },
      { "a--index": "page" },
    ],
    [
      "in folders of languages",
      { "en/a/index.md": "", "de/a/index.md": "" },
      { "a--index": "page" },
    ],
    [
      "beside another text",
      { "docs/index.md": "", "docs/a.md": "" },
      { "docs--index": "docs", "docs--a": "docs" },
    ],
    [
      "above another text",
      { "docs/index.md": "", "docs/a/b.md": "" },
      { "docs--index": "docs", "docs--a--b": "docs" },
    ],
  ])("X23f: an index %s", (_, files, models) => {
    const { entries } = read(files);
    const found = Object.fromEntries(entries.map(({ id, modelId }) => [id, modelId]));
    expect(found).toMatchObject(models);
    expect(entries.find(({ id }) => id === "a-post--index")?.data.path ?? "a-post").toBe("a-post");
  });
});
