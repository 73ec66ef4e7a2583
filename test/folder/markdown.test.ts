import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { markdown } from "../../src/folder/markdown.ts";
import type { SvcError } from "../../src/workspace/errors.ts";
import { folderOf, readFiles as read, readFolder } from "../support/markdown-folder.ts";
import { NO_OPTIONS } from "../support/read-export.ts";
import { TestBed } from "../support/test-bed.ts";

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
