import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ignoredBy } from "../../src/folder/markdown/path-patterns.ts";
import { type Files, folderOf, readFiles, readFolder } from "../support/markdown-folder.ts";
import type { Read } from "../support/read-export.ts";

const draftsOf = ({ entries }: Read) =>
  entries.flatMap(({ id, draft }) => (draft ? [id.replaceAll("--", "/")] : []));

const texts = (paths: string): Files =>
  Object.fromEntries(paths.split(" ").map((path) => [path, ""]));

describe("X22i: what the config of a generator keeps from the public is a draft", () => {
  const cases: readonly (readonly [
    string,
    { config: Files; files: string; held: string[]; by: string },
  ])[] = [
    [
      "MkDocs, exclude_docs",
      {
        config: { "mkdocs.yml": "exclude_docs: |\n  secret/\n  *.priv.md\n  !ok.priv.md\n" },
        files: "docs/secret/a.md docs/b.priv.md docs/ok.priv.md docs/deep/secret/c.md docs/z.md",
        held: ["docs/b.priv", "docs/deep/secret/c", "docs/secret/a"],
        by: '"exclude_docs" in mkdocs.yml',
      },
    ],
    [
      "MkDocs, draft_docs of another folder, beside tags of Python",
      {
        config: {
          "mkdocs.yml": "docs_dir: ./text\nx: !!python/name:a.b\ndraft_docs: |\n  /drafts/*.md\n",
        },
        files: "text/drafts/a.md text/drafts/deep/b.md text/z.md",
        held: ["text/drafts/a"],
        by: '"draft_docs" in mkdocs.yml',
      },
    ],
    [
      "MkDocs, its templates",
      {
        config: { "mkdocs.yml": "site_name: x" },
        files: "docs/templates/a.md docs/x/templates/b.md",
        held: ["docs/templates/a"],
        by: '"exclude_docs" in mkdocs.yml',
      },
    ],
    [
      "MkDocs, its plugin",
      {
        config: { "mkdocs.yml": "plugins: [search, exclude: { glob: ['old/*', '*.wip.md'] }]" },
        files: "docs/old/x/a.md docs/x/b.wip.md docs/z.md",
        held: ["docs/old/x/a", "docs/x/b.wip"],
        by: '"exclude" in mkdocs.yml',
      },
    ],
    [
      "mdBook",
      {
        config: { "book.toml": "[book]\nsrc = './text'", "text/SUMMARY.md": "- [A](./a.md#x)" },
        files: "text/a.md text/deep/b.md z.md",
        held: ["text/deep/b"],
        by: "absence from text/SUMMARY.md",
      },
    ],
    [
      "Eleventy",
      {
        config: {
          ".eleventyignore": "# texts\nprivate/**\n/a.md\n",
          "src/.eleventyignore": "b.md\n",
        },
        files: "private/x.md a.md src/a.md src/b.md",
        held: ["a", "private/x"],
        by: ".eleventyignore",
      },
    ],
    [
      "Zola",
      {
        config: {
          "config.toml": 'base_url = "/"\nignored_content = ["private/*", "*.{bak,old}.md"]',
        },
        files: "content/private/a.md content/x/b.old.md content/z.md",
        held: ["content/private/a", "content/x/b.old"],
        by: '"ignored_content" in config.toml',
      },
    ],
    [
      "Quartz",
      {
        config: {
          "quartz.config.ts":
            'x = { ignorePatterns: [\n  "private", // notes\n  // "z.md",\n  \'**/templates\',\n] }',
        },
        files: "content/private/a.md content/x/templates/b.md content/x/private/c.md content/z.md",
        held: ["content/private/a", "content/x/templates/b"],
        by: '"ignorePatterns" in quartz.config.ts',
      },
    ],
    [
      "Quartz in YAML, without patterns",
      {
        config: { "quartz.config.yaml": "configuration: {}" },
        files: "content/private/a.md content/z.md",
        held: ["content/private/a"],
        by: '"ignorePatterns" in quartz.config.yaml',
      },
    ],
    [
      "Nuxt",
      {
        config: { "nuxt.config.ts": "" },
        files: "content/-a.md content/-b/c.md content/d-e.md",
        held: ["content/-a", "content/-b/c"],
        by: 'a name that begins with "-"',
      },
    ],
    [
      "VitePress",
      {
        config: { "docs/.vitepress/config.mts": "srcDir: './src', srcExclude: ['**/TODO.md']" },
        files: "docs/src/x/TODO.md docs/src/z.md",
        held: ["docs/src/x/TODO"],
        by: '"srcExclude" in docs/.vitepress/config.mts',
      },
    ],
    [
      "Docusaurus",
      {
        config: { "docusaurus.config.js": 'docs: { exclude: ["internal/**", "*.wip.md"] }' },
        files: "docs/internal/a.md docs/b.wip.md docs/x/b.wip.md docs/z.md",
        held: ["docs/b.wip", "docs/internal/a"],
        by: '"exclude" in docusaurus.config.js',
      },
    ],
    [
      "Sphinx",
      {
        config: { "conf.py": "exclude_patterns = ['old', \"drafts/*\"]  # x" },
        files: "old/a.md drafts/b.md x/old/c.md z.md",
        held: ["drafts/b", "old/a"],
        by: '"exclude_patterns" in conf.py',
      },
    ],
    [
      "Hugo",
      {
        config: { "hugo.toml": "ignoreFiles = ['content/private/', '\\.bak\\.md$']" },
        files: "content/private/a.md content/x/b.bak.md content/z.md",
        held: ["content/private/a", "content/x/b.bak"],
        by: '"ignoreFiles" in hugo.toml',
      },
    ],
  ];
  it.each(cases)("%s", (name, { config, files, held, by }) => {
    const read = readFiles({ ...texts(files), ...config });
    expect(draftsOf(read).filter((id) => id !== "src/b")).toEqual(held);
    const count = held.length === 1 ? "1 text is a draft" : `${held.length} texts are drafts`;
    expect(read.report.warnings.join("\n")).toContain(`${count} by ${by}: `);
    if (name === "Eleventy") expect(draftsOf(read)).toContain("src/b");
  });

  it("X22l: also where the folder of the content is imported, and beside another config", () => {
    const folder = folderOf({
      ...texts("docs/secret/a.md docs/z.md"),
      "mkdocs.yml": "exclude_docs: secret/",
      "_config.yml": "exclude: [docs/z.md]",
    });
    mkdirSync(join(folder, ".git"));
    expect(draftsOf(readFolder(join(folder, "docs")))).toEqual(["secret/a", "z"]);
    expect(draftsOf(readFolder(join(folder, "docs", "secret")))).toEqual(["a"]);
    const book = { "src/SUMMARY.md": "[A](a.md)", "src/a.md": "", "src/b.md": "", "book.toml": "" };
    expect(draftsOf(readFolder(join(folderOf(book), "src")))).toEqual(["b"]);
  });

  it("X22l: patterns that a program makes, and expressions that are none or take too long, are a warning", () => {
    const read = readFiles({ ...texts("content/a.md"), "quartz.config.ts": "ignorePatterns: all" });
    expect(read.report.warnings).toContain(
      '"ignorePatterns" in quartz.config.ts cannot be read: what it holds back is published',
    );
    const hugo = readFiles({ "a.md": "", "hugo.toml": "ignoreFiles = ['(', '(a+)+$', '^x']" });
    expect(hugo.report.warnings).toContain(
      '"ignoreFiles" in hugo.toml cannot be read: what it holds back is published',
    );
  });

  it("X22f: what MkDocs only leaves out of its navigation is counted", () => {
    const config = { "mkdocs.yml": "not_in_nav: |\n  /parts/\n" };
    const read = readFiles({ ...texts("docs/parts/a.md docs/z.md"), ...config });
    expect(draftsOf(read)).toEqual([]);
    expect(read.report.warnings).toContain(
      '1 text has "not_in_nav" in mkdocs.yml, which means nothing here: docs/parts/a.md',
    );
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
  const path = `${"a".repeat(250)}/`.repeat(15);
  for (const line of ["*a".repeat(40), "**a".repeat(40), "**/*a".repeat(40), "{a,b}*".repeat(40)]) {
    expect(ignoredBy([`${line}b`, `${line}c`])(path)).toBe(false);
  }
});

describe("X22j: where only what says so is published, other texts are drafts", () => {
  const note = (value: string) => `---\ndg-publish: ${value}\n---\n`;

  it("a digital garden of Obsidian, as soon as one of its texts is published", () => {
    const others = { "b.md": "", "c.md": "---\ntitle: C\n---\n", "d.md": note("") };
    const read = readFiles({ "a.md": note("true"), ...others });
    expect(draftsOf(read)).toEqual(["b", "c", "d"]);
    expect(read.report.warnings).toContain(
      '3 texts are drafts without "dg-publish: true", which others have: b.md, c.md, d.md',
    );
    expect(draftsOf(readFiles({ "a.md": note("false"), ...others }))).toEqual(["a"]);
    expect(draftsOf(readFiles({ "a.md": note("true"), ...others }, { drafts: true }))).toEqual([]);
  });

  it.each([
    ["quartz.config.ts", "filters: [Plugin.ExplicitPublish()]", true],
    ["quartz.config.ts", "filters: [\n// Plugin.ExplicitPublish()\n]", false],
    ["quartz.config.yaml", "plugins: [{ source: github:x/explicit-publish }]", true],
    ["quartz.config.yaml", "plugins: [{ source: x/explicit-publish, enabled: false }]", false],
  ])("Quartz, %s: %s", (name, config, isExplicit) => {
    const read = readFiles({ "a.md": "---\npublish: true\n---\n", "b.md": "", [name]: config });
    expect(draftsOf(read)).toEqual(isExplicit ? ["b"] : []);
  });
});

describe("X22c: a second front matter is text, and holds back", () => {
  const first = "---\ntitle: A\n---\n";
  it.each([
    ["---\ndraft: true\n---\nText\n", 5],
    ["\n+++\nx = 1\ndraft = true\n+++\n", 7],
    ["Text\n\n---\ntitle: B\ntags:\n  - x\n\npublished: false\n---\n", 11],
  ])("%j", (rest, line) => {
    const read = readFiles({ "a.md": first + rest, "z.md": "" });
    expect(draftsOf(read)).toEqual(["a"]);
    const warnings = read.report.warnings.join("\n");
    expect(warnings).toMatch(
      RegExp(`^1 text is a draft by "\\w+" in a second front matter: a.md:${line}$`, "m"),
    );
    expect(warnings.includes("text has a second front matter, which is text of the body")).toBe(
      !rest.startsWith("Text"),
    );
  });

  it.each([
    "```yaml\n---\ndraft: true\n---\n```\n",
    "Text\n\n---\n\ndraft: true\n\nText\n\n---\n",
    "---\ntext\n---\n",
    "draft: true\n---\n",
  ])("not %j", (rest) => {
    const read = readFiles({ "a.md": first + rest, "z.md": "" });
    expect([draftsOf(read), read.report.warnings.filter((one) => !one.includes("title"))]).toEqual([
      [],
      [],
    ]);
  });
});

it("X22e: Hexo holds a date ahead back with `future: false` alone", () => {
  const posts = { "source/_posts/a.md": "---\ndate: 2099-01-01\n---\n" };
  const hexo = (more: string) =>
    readFiles({ ...posts, "_config.yml": `source_dir: source\n${more}` }).entries[0]?.publishAt;
  expect([hexo("future: false"), hexo("future: true"), hexo("")]).toEqual([
    "2099-01-01T00:00:00Z",
    undefined,
    undefined,
  ]);
});

it("X22k: a date in a name that is no day makes a draft", () => {
  const read = readFiles({ "_posts/2099-02-30-d.md": "", "_posts/2024-01-01-a.md": "" });
  expect(draftsOf(read)).toEqual(["_posts/2099-02-30-d"]);
  expect(read.report.warnings).toContain(
    "1 text is a draft since the date in its name is none: _posts/2099-02-30-d.md",
  );
});
