import { describe, expect, it } from "vitest";
import { storyblok } from "../../src/folder/storyblok.ts";
import { exportFile } from "../support/contentful/contentful-export.ts";
import { readFiles as read } from "../support/markdown-folder.ts";
import { readExport } from "../support/read-export.ts";
import { story } from "../support/storyblok/stories.ts";

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

  it("X3b: of a draft in the main language the name and the address are of another one", () => {
    const { project } = read({
      "a.md": text("Secret", "slug: secret\ndraft: true\n"),
      "a.de.md": text("Ä", "slug: offen\n"),
      "b.md": text("B", "slug: b\n"),
      "b.de.md": text("Be", "slug: be\n"),
    });
    expect(project.experiences.map(({ id, name }) => [id, name])).toEqual([
      ["b", "B"],
      ["offen", "Ä"],
    ]);
  });

  it.each(["es-419", "fil", "zh-Hant-TW"])("--locales takes any code: %s", (code) => {
    const files = {
      "a.md": "x",
      [`a.${code}.md`]: "y",
      "b.md": "",
      [`${code.toLowerCase()}/b.md`]: "z",
    };
    const { entries } = read(files, { locales: ["en", code] });
    expect(entries.map(({ id, data: { body } }) => [id, body])).toEqual([
      ["a", { en: "x", [code]: "y" }],
      ["b", { en: "", [code]: "z" }],
    ]);
    expect(() => read(files, { locales: ["en", `${code}-x-`] })).toThrow(`"${code}-x-" is no code`);
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

  it("X3h: endings of programs and departments are none, unless --locales names them: that is said", () => {
    const names = ["setup", "usage", "api"];
    const folder = (at: string) => names.map((name) => [at.replace("*", name), "# Text"] as const);
    const docs = Object.fromEntries(["docs/*.md", "docs/*.cs.md", "docs/*.ts.md"].flatMap(folder));
    const found = read(docs);
    expect(found.entries).toHaveLength(9);
    expect(found.report.warnings).toEqual([
      'these may be languages, but were not taken as such (number of texts): "cs" (3), "ts" (3); --locales en,cs,ts takes them',
    ]);
    expect(found.report.found).toBeUndefined();
    const named = read(docs, { locales: ["en", "cs", "ts"] });
    expect(named.entries).toHaveLength(3);
    expect(named.report.warnings).toEqual([]);
    const departments = read(Object.fromEntries(["it/*.md", "hr/*.md"].flatMap(folder)));
    expect(departments.models.map(({ id }) => id)).toEqual(["hr", "it"]);
  });

  it.each([
    [
      "beside a language that is nothing else",
      { "a.md": "x", "a.cs.md": "x", "a.de.md": "x" },
      "en 1, cs 1, de 1",
    ],
    ["with letters of its own", { "a.md": "x", "a.cs.md": "Děkuji" }, "en 1, cs 1"],
    ["in a folder, beside one", { "en/a.md": "", "it/a.md": "", "en/it/b.md": "" }, "en 2, it 1"],
    [
      "with few translations",
      { "en/a.md": "", "en/b.md": "", "en/c.md": "", "pt-br/a.md": "" },
      "en 3, pt-BR 1",
    ],
  ])("X3h: such a code is one %s", (_, files, counts) => {
    const { report } = read(files);
    expect(report.found?.map(({ locale, texts }) => `${locale} ${texts}`).join(", ")).toBe(counts);
  });
});

describe("X23g: what is published in languages that it is not translated into", () => {
  const files = {
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`en/blog/${at}.md`, "x".repeat(1000)]),
    ),
    "en/index.md": "Home",
    "de/index.md": "Haus",
    "fr/index.md": "Maison",
    "fr/own.md": "Seul",
  };
  const draftsOf = ({ entries }: ReturnType<typeof read>) =>
    Object.fromEntries(entries.map(({ id, draft }) => [id, draft]));

  it("is said with its size where it is most, and left out on demand", () => {
    const all = read(files);
    expect(all.report.warnings).toEqual([
      "9 entries are not translated into all of 3 languages, and would be published by fallback: about 18 documents and 19 kB more; --only-translated leaves them out",
    ]);
    expect(draftsOf(all)["blog--0"]).toBeUndefined();
    const only = read(files, { onlyTranslated: true });
    expect(only.report.warnings).toEqual([]);
    expect(draftsOf(only)).toMatchObject({
      "blog--0": { de: true, fr: true },
      index: undefined,
      own: { en: true, de: true },
    });
  });

  it("the next import takes the same; of few nothing is said", () => {
    const choices = { from: "markdown", onlyTranslated: true };
    const before = () => ({
      name: "x",
      choices,
      projects: [],
      hidden: new Set<string>(),
      dataOf: () => undefined,
    });
    const { items } = read({ "en/a.md": "x", "de/a.md": "y" }, { before });
    expect(items[0]).toMatchObject({ record: { import: choices } });
    const most = read({ "en/a.md": "x", "de/a.md": "y", "en/b.md": "x" });
    expect(most.report.warnings).toEqual([]);
  });

  it("so are entries of other formats that have values in locales", () => {
    const content = { component: "page", title__i18n__de: "Haus", title: "Home" };
    const file = exportFile({ stories: [story("a", content), story("b", { title: "B" })] });
    const { entries } = readExport(storyblok, [file], { onlyTranslated: true });
    expect(entries.map(({ draft }) => draft)).toEqual([undefined, { de: true }]);
  });
});
