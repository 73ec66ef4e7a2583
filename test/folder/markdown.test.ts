import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { markdown } from "../../src/folder/markdown.ts";
import type { SvcError } from "../../src/workspace/errors.ts";
import { folderOf, readFiles as read, readFolder } from "../support/markdown-folder.ts";
import { NO_OPTIONS } from "../support/read-export.ts";
import { SVG } from "../support/sanity/dataset.ts";
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

describe("X24: one bad value decides nothing for the others", () => {
  const post = (lines: string) => `---\n${lines}\n---\n`;
  const GOOD = "cover: ../i.svg\ndate: 2024-02-28\ntags: [sea, city]\nslug: s\nauthor: ada";
  const BAD = "cover: ../typo.svg\ndate: 2024-02-30\ntags: sea\nslug: 1\nauthor: eve";
  const FILES = {
    "i.svg": SVG,
    "posts/a.md": post(GOOD),
    "posts/b.md": post(GOOD),
    "posts/c.mdx": post(`title: C\n${BAD}`),
  };

  it("a missing picture and a day that is none are named with their lines; the others are served", () => {
    const { models, entries, report } = read(FILES);
    const types = models[0]?.fields.map(({ key, type, repeatable }) =>
      [key, type, ...(repeatable ? ["[]"] : [])].join(" "),
    );
    expect(types?.slice(0, 4)).toEqual(["cover asset", "date date", "tags text []", "slug text"]);
    expect(
      entries.map(({ data: { cover, date, tags, slug } }) => [cover, date, tags, slug]),
    ).toEqual([
      [{ assetId: "i.svg" }, "2024-02-28", ["sea", "city"], "s"],
      [{ assetId: "i.svg" }, "2024-02-28", ["sea", "city"], "s"],
      ["../typo.svg", "2024-02-30", ["sea"], "1"],
    ]);
    const of = (field: string, type: string) =>
      `posts.${field} (${type}, as most values; --types posts.${field}=<type> decides otherwise)`;
    const unfit = "stored as written and refused by svc check";
    expect(report.warnings.slice(0, 4)).toEqual([
      `1 value does not fit ${of("cover", "asset")}, ${unfit}: posts/c.mdx:3`,
      `1 value does not fit ${of("date", "date")}, ${unfit}: posts/c.mdx:4`,
      `1 single value becomes a list in ${of("tags", "text[]")}: posts/c.mdx:5`,
      `1 value becomes text as written in ${of("slug", "text")}: posts/c.mdx:6`,
    ]);
  });

  it("a map beside paths, and paths beside texts, by what most are", () => {
    const cover = (one: string) => post(`cover: ${one}`);
    const typeOf = (...covers: readonly string[]) => {
      const texts = covers.map((one, at) => [`${at}.md`, cover(one)] as const);
      const { models, entries } = read({ "i.svg": SVG, ...Object.fromEntries(texts) });
      return [models[0]?.fields[0]?.type, entries.at(-1)?.data.cover];
    };
    expect(typeOf("i.svg", "i.svg", "{ src: i.svg }")).toEqual(["asset", { src: "i.svg" }]);
    expect(typeOf("https://a.b/c.png", "i.svg")).toEqual(["text", "i.svg"]);
    expect(typeOf("5.0", "4.5", "4", "5")).toEqual(["number", 5]);
  });

  it("X24c: by the file of --schema or --types a text leads to the entry that it names, if there is one", () => {
    const authors = {
      "people/ada.md": "",
      "people/roe.md": post("slug: bob"),
      "pets/bob.md": "",
    };
    const names = ["ada", "Ada", "bob", "people/ada.md", "/people/ada/", "eve"];
    const texts = names.map((name, at) => [`posts/${at}.md`, post(`author: ${name}`)] as const);
    const folder = folderOf({ ...authors, ...Object.fromEntries(texts) });
    const schema = join(folder, "..", "models.json");
    const fields = (models: object) => [
      { key: "author", type: "reference", repeatable: true, ...models },
      { key: "path", type: "text" },
      { key: "body", type: "text" },
    ];
    const posts = { id: "posts", key: "posts", name: "Posts" };
    const authorsBy = (models: object) => {
      writeFileSync(schema, JSON.stringify({ models: [{ ...posts, fields: fields(models) }] }));
      const { entries, report } = readFolder(folder, { schema });
      return [entries.flatMap(({ data: { author } }) => author ?? []), report.warnings] as const;
    };
    const to = (contentEntryId: string) => ({ contentEntryId });
    const [ada, bob] = [to("people--ada"), to("people--roe")];
    const said = (count: string, at: string) =>
      `${count} not fit posts.author (reference[], by the file of --schema), stored as written and refused by svc check: ${at}`;
    const [own, warnings] = authorsBy({ models: ["people"] });
    expect(own).toEqual([ada, ada, bob, ada, ada, "eve"]);
    expect(warnings).toContain(said("1 value does", "posts/5.md:2"));
    const [any, others] = authorsBy({});
    expect(any, "bob is two").toEqual([ada, ada, "bob", ada, ada, "eve"]);
    expect(others).toContain(said("2 values do", "posts/2.md:2, posts/5.md:2"));
    const types = [{ field: "posts.author", type: "reference", isList: false }];
    expect(readFolder(folder, { types }).entries.at(-6)?.data.author).toEqual(ada);
    expect(() => readFolder(folder, { schema, types })).toThrow(
      "is defined in the file of --schema",
    );
  });

  it("X24e: a member that is nearly that of most others, and a text without a title, are warnings", () => {
    const texts = Array.from({ length: 20 }, (_, at) => [`${at}.md`, post("title: A\nlead: x")]);
    const odd = { "x.md": post("lead: x\ntitel: B"), "y.md": post("title: C\nleads: x\nlead: y") };
    const { report } = read({ ...Object.fromEntries(texts), ...odd });
    expect(report.warnings).toEqual([
      '1 text has "titel", where most of page have "title": x.md:3',
      "1 text has no title, as nearly all others have: x.md",
    ]);
    expect(read({ "a.md": post("title: A"), "b.md": post("titel: A") }).report.warnings).toEqual(
      [],
    );
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
