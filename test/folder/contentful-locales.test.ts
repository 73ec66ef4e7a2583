import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/workspace/errors.ts";
import type { Project, Workspace } from "../../src/workspace/records.ts";
import {
  asset,
  dataOf,
  entry,
  exportFile,
  exportOf,
  type Loose,
  link,
  read,
  readFiles,
  type,
} from "../support/contentful/contentful-export.ts";
import { linkFates } from "../support/contentful/contentful-links.ts";
import { valueFates } from "../support/contentful/contentful-values.ts";
import { TestBed } from "../support/test-bed.ts";

const LOCALES = [
  { code: "de-AT", fallbackCode: "de" },
  { code: "en", default: true, fallbackCode: null },
  { code: "de", fallbackCode: "en" },
  { code: "fr", fallbackCode: "fr-CA" },
  { code: "fr-CA", fallbackCode: "fr" },
];
const TITLE = { title: { type: "Symbol", localized: true } };

/** The title as imported in a locale. */
function titleIn(locale: string | undefined, title: object, fields: object = TITLE) {
  return dataOf(fields, { title }, { locales: LOCALES }, { locale })?.title;
}

describe("contentful: one locale is imported", () => {
  it("X3c: with --locale, or where no other has a value", () => {
    expect(titleIn(undefined, { en: "en" })).toBe("en");
    expect(titleIn(undefined, { en: "en", de: null, xx: "no locale of the space" })).toBe("en");
    expect(titleIn("en", { de: "de", en: "en" })).toBe("en");
    expect(titleIn("de", { de: "de", en: "en" })).toBe("de");
  });

  it("missing and null values are taken from the fallback locales", () => {
    expect(titleIn("de-AT", { de: "de", en: "en" })).toBe("de");
    expect(titleIn("de-AT", { "de-AT": null, de: null, en: "en" })).toBe("en");
    expect(titleIn("de-AT", { fr: "fr" })).toBeUndefined();
  });

  it("false, 0 and an empty text are values without fallback", () => {
    for (const value of [false, 0, "", []])
      expect(titleIn("de", { de: value, en: "en" })).toEqual(value);
  });

  it("a locale may have no fallback, and circular fallbacks end", () => {
    expect(titleIn("en", { de: "de" })).toBeUndefined();
    expect(titleIn("fr", { en: "en" })).toBeUndefined();
    expect(titleIn("fr", { "fr-CA": "ca" })).toBe("ca");
  });

  it("X3: a field that is not localized has the value of the default locale and no other's", () => {
    for (const locale of [undefined, "fr", "de-AT"]) {
      expect(titleIn(locale, { en: "en", fr: "left over" }, { title: "Symbol" })).toBe("en");
      const leftOver = { fr: "left over", de: "left over" };
      expect(titleIn(locale, leftOver, { title: "Symbol" })).toBeUndefined();
    }
  });

  it("X3d: an entry that is a draft in the locale has draft: true, and a draft in a fallback gives no value", () => {
    const inStates = (states: object, drafts = false) => {
      const one = { ...entry("e", "page", {}, { fieldStatus: { "*": states } }) };
      const given = { ...one, fields: { title: { de: "de", en: "en" } } };
      const parts = { contentTypes: [type("page", TITLE)], locales: LOCALES };
      const entries = [given, { ...given, sys: { ...entry("f", "page").sys } }];
      return read({ ...parts, entries }, { locale: "de-AT", drafts }).entries.map(
        ({ id, data, draft }) => [id, data.title, ...(draft ? [draft] : [])],
      );
    };
    const [other] = [["f", "de"]];
    expect(inStates({ "de-AT": "draft", de: "draft", en: "published" })).toEqual([
      ["e", "de", true],
      other,
    ]);
    expect(inStates({ "de-AT": "published", de: "draft", en: "changed" })).toEqual([
      ["e", "en"],
      other,
    ]);
    expect(inStates({ "de-AT": "changed", de: "draft", en: "draft" })).toEqual([
      ["e", undefined],
      other,
    ]);
    expect(inStates({ "de-AT": "draft", de: "draft", en: "draft" }, true)).toEqual([
      ["e", "de"],
      other,
    ]);
  });

  it("an unknown locale is a usage error that lists the known ones", () => {
    expect(() => titleIn("nl", {})).toThrow(UsageError);
    expect(() => titleIn("nl", {})).toThrow('no locale "nl"');
    expect(() => titleIn("__proto__", {})).toThrow(UsageError);
  });

  it("without a list of locales, the locale with the most values is the default", () => {
    const entries = [
      { ...entry("e1", "page"), fields: { title: { de: "a", en: "b" } } },
      { ...entry("e2", "page"), fields: { title: { de: "c" } } },
    ];
    const read1 = read(
      { contentTypes: [type("page", TITLE)], entries, locales: [] },
      { locale: "de" },
    );
    expect(read1.report.locale).toBe("de");
    expect(read1.entries.map(({ data }) => data.title)).toEqual(["a", "c"]);
  });

  it("__proto__, constructor and toString are ordinary names of locales and fields", () => {
    const given = JSON.parse(
      '{"title":{"__proto__":"x"},"__proto__":{"__proto__":"y"},"constructor":{"__proto__":"z"}}',
    );
    const fields = JSON.parse(
      '{"title":"Symbol","__proto__":"Symbol","constructor":"Symbol","toString":"Symbol"}',
    );
    const locales = [{ code: "__proto__", default: true }];
    expect(dataOf(fields, given, { locales })).toEqual({
      title: "x",
      field___proto__: "y",
      constructor: "z",
    });
    const inherited = { locales: [{ code: "toString", default: true }] };
    expect(dataOf(TITLE, { title: {} }, inherited)).toEqual({});
    expect(titleIn("fr", {}, { constructor: "Symbol" })).toBeUndefined();
  });

  it("an asset's file is that of the locale, of its fallbacks, or else any processed one", () => {
    const file = (name: string) => ({ url: `//h.example/${name}`, fileName: name });
    const fileIn = (locale: string, files: object) =>
      read(
        {
          contentTypes: [type("page", {})],
          locales: LOCALES,
          assets: [{ ...asset("a"), fields: { file: files } }],
        },
        { locale },
      ).assets[0]?.fileName;
    expect(fileIn("de", { en: file("en"), de: file("de") })).toBe("de");
    expect(fileIn("de-AT", { en: file("en"), de: file("de") })).toBe("de");
    expect(fileIn("fr", { de: file("de"), en: file("en") })).toBe("en");
    expect(fileIn("en", { xx: file("xx") })).toBe("xx");
    expect(fileIn("en", { en: { upload: "https://h.example/raw" }, de: file("de") })).toBe("de");
  });
});

describe("contentful: all locales are imported", () => {
  const PAGE = type("page", { ...TITLE, slug: "Symbol" }, { displayField: "title" });
  const page = (id: string, fields: Loose, sys: Loose = {}): Loose => ({
    ...entry(id, "page", {}, sys),
    fields: { slug: { en: `/${id}`, de: "left-over" }, ...fields },
  });
  const given = (...entries: readonly Loose[]) => ({
    contentTypes: [PAGE],
    locales: LOCALES,
    entries,
  });
  const projectsOf = ({ items }: Pick<ReturnType<typeof read>, "items">): Project[] =>
    items.flatMap((item) => (item.kind === "projects" ? [item.record] : []));
  const following = ({ items }: Pick<ReturnType<typeof read>, "items">) => ({
    before: () => ({
      name: "space1",
      choices: (items[0] as { record: Workspace }).record.import,
      projects: projectsOf({ items }),
      hidden: new Set<string>(),
      dataOf: () => undefined,
    }),
  });
  const MANY = given(
    page("a", { title: { en: "A", de: "Ä", "de-AT": null } }),
    page("b", { title: { en: "B", "de-AT": "" } }),
  );

  it("X3k: a locale that the delivery API does not have is left out, unless it is named", () => {
    const parts = {
      contentTypes: [type("page", { title: { type: "Symbol", localized: true } })],
      entries: [
        { ...entry("e", "page"), fields: { title: { en: "Hi", de: "Geheim", fr: "Salut" } } },
      ],
      locales: [
        { code: "en", default: true },
        { code: "de", contentDeliveryApi: false },
        { code: "fr", fallbackCode: "de" },
      ],
    };
    const { entries, projects, report } = read(parts);
    expect(entries[0]?.data.title).toEqual({ en: "Hi", fr: "Salut" });
    expect(projects.map(({ locale, fallbackLocales }) => [locale, fallbackLocales])).toEqual([
      ["en", undefined],
      ["fr", undefined],
    ]);
    expect(report.warnings).toEqual([expect.stringMatching(/^1 locale is not delivered .*: de$/)]);
    expect(read(parts, { locale: "de" }).entries[0]?.data.title).toBe("Geheim");
  });

  it("X3a, X3b: each locale with a value has a project with its fallbacks and the same experiences", () => {
    const result = read(MANY);
    const projects = projectsOf(result);
    expect(
      projects.map(({ id, locale, fallbackLocales }) => [id, locale, fallbackLocales]),
    ).toEqual(
      [
        ["space1", "en", undefined],
        ["space1-de-at", "de-AT", ["de", "en"]],
        ["space1-de", "de", ["en"]],
      ].sort(([, a], [, b]) => Number(b === "en") - Number(a === "en")),
    );
    for (const { steps, experiences } of projects) {
      expect([steps, experiences]).toEqual([projects[0]?.steps, projects[0]?.experiences]);
      expect(experiences.map(({ id, name }) => [id, name])).toEqual([
        ["a", "A"],
        ["b", "B"],
      ]);
    }
    expect(result.report).toMatchObject({
      locale: "en",
      locales: [
        { locale: "en", project: "space1" },
        { locale: "de-AT", project: "space1-de-at" },
        { locale: "de", project: "space1-de" },
      ],
      leftOut: { "values in de of fields that are not localized: page.slug": 2 },
    });
  });

  it("X9, X24f: values in a locale that the space has not are named, and an entry that has no others", () => {
    const finnish = { sys: entry("f", "page", {}).sys, fields: { title: { "fi-FI": "Ä" } } };
    const { report, fates } = read({ ...MANY, entries: [...MANY.entries, finnish] });
    expect(report.leftOut).toMatchObject({
      "values in fi-FI, which is no locale of the space: page.title": 1,
    });
    expect(report.warnings).toEqual([
      "1 entry has no value in a locale that is imported: f (fi-FI)",
    ]);
    expect(fates.find(({ id }) => id === "f")?.lost).toEqual([
      "all its values, which are in fi-FI",
    ]);
  });

  it("X3c: --locale is kept for the next import, and * takes all; the address keeps its language", () => {
    const german = read(MANY, { locale: "de" });
    expect((german.items[0] as { record: Workspace }).record.import?.locale).toBe("de");
    const again = read(MANY, following(german));
    expect(again.items).toEqual(german.items);
    const all = read(MANY, { ...following(german), locale: "*" });
    expect(
      projectsOf(all)
        .map(({ id, locale }) => `${id} ${locale}`)
        .sort(),
    ).toEqual(["space1 de", "space1-de-at de-AT", "space1-en en"]);
    expect((all.items[0] as { record: Workspace }).record.import?.locale).toBeUndefined();
    expect(read(MANY, following(all)).items).toEqual(all.items);
  });

  it("X2: each project keeps its experiences, and a new language gets those of the first", () => {
    const old = read(given(page("a", { title: { en: "A" } })));
    const moved = page("a", { title: { en: "A", de: "Ä" }, slug: { en: "/moved" } });
    const both = read(given(moved), following(old));
    expect(projectsOf(both).map(({ id, experiences }) => [id, experiences[0]?.id])).toEqual([
      ["space1", "a"],
      ["space1-de", "a"],
    ]);
    const gone = read(given(page("z", { title: { en: "Z", de: "Z" } })), following(both));
    expect(gone.report.experiences.kept).toEqual(["a", "space1-de/a"]);
    for (const { experiences } of projectsOf(gone)) {
      expect(experiences.map(({ id }) => id)).toEqual(["z", "a"]);
    }
    const removed = { ...following(gone), removeExperiences: true };
    const left = read(given(page("z", { title: { en: "Z", de: "Z" } })), removed);
    expect(left.report.experiences.removed).toEqual(["a", "space1-de/a"]);
    expect(projectsOf(left).map(({ experiences }) => experiences.length)).toEqual([1, 1]);
  });

  it("B5: a project of its user gets the language of the first one, unless it has one", () => {
    const old = read(given(page("a", { title: { en: "A" } })));
    const { projects, ...known } = following(old).before();
    const more = ["none", "de"].map((id) => ({
      id,
      name: id,
      steps: [],
      experiences: [],
      ...(id === "de" && { locale: "de" }),
    }));
    const before = () => ({ ...known, projects: [...projects, ...more] });
    const both = projectsOf(read(given(page("a", { title: { en: "A", de: "Ä" } })), { before }));
    expect(both.map(({ id, locale }) => [id, locale])).toEqual([
      ["space1", "en"],
      ["space1-de", "de"],
      ["none", "en"],
      ["de", "de"],
    ]);
    const english = projectsOf(read(given(page("a", { title: { en: "A" } })), { before }));
    expect(english.map(({ id, locale }) => [id, locale])).toEqual([
      ["space1", undefined],
      ["none", undefined],
      ["de", "de"],
    ]);
  });

  it("X3e: one that is a draft in some locales is one there, with its values; X3d: in all, draft: true", () => {
    const title = { title: { en: "E", de: "Entwurf" } };
    const inStates = (id: string, states: Loose) =>
      page(id, title, { fieldStatus: { "*": states } });
    const parts = given(
      page("whole", title),
      inStates("german", { en: "draft", de: "changed", "de-AT": "draft" }),
      inStates("english", { en: "published", de: "draft" }),
      inStates("none", { en: "draft", de: "draft", "de-AT": "draft" }),
    );
    const { entries, report, project, fates } = read(parts);
    expect(entries.map(({ id, draft, data }) => [id, draft, data.title])).toEqual([
      ["whole", undefined, title.title],
      ["german", { en: true }, title.title],
      ["english", { de: true }, title.title],
      ["none", true, title.title],
    ]);
    expect(report.draftLocales).toEqual([
      { id: "german", locales: ["en"] },
      { id: "english", locales: ["de"] },
    ]);
    expect(fates.find(({ id }) => id === "english")).toMatchObject({
      became: { draft: { de: true } },
      lost: [],
    });
    // A1: the names of experiences are published.
    const named = project.experiences.map(({ id, name }) => [id, name]);
    expect(named).toContainEqual(["german", "german"]);
    const drafts = read(parts, { drafts: true });
    expect(drafts.entries.map(({ draft, data }) => [draft, data.title])).toEqual(
      Array.from({ length: 4 }, () => [undefined, title.title]),
    );
    expect(drafts.report.draftLocales).toEqual([]);
  });

  it("X3, X7, V4d: an asset has the file of the default locale and the texts of all, but of its drafts", () => {
    const file = (name: string) => ({ url: `//h.example/${name}`, fileName: name });
    const fields = {
      file: { de: file("de"), en: file("en") },
      title: { en: "Title", de: "Titel" },
    };
    const { assets, fates, items } = read({ ...MANY, assets: [{ ...asset("a"), fields }] });
    expect(assets).toMatchObject([{ fileName: "en", title: fields.title }]);
    expect([items[0], read(MANY).items[0]].map((one) => Object(one).record.assetTexts)).toEqual([
      true,
      undefined,
    ]);
    expect(fates.find(({ kind }) => kind === "asset")?.lost).toEqual(["texts and files in de: 1"]);
    const drafts = { fieldStatus: { "*": { en: "published", de: "draft" } } };
    const { sys } = asset("a");
    const partly = { sys: { ...sys, ...drafts }, fields };
    expect(read({ ...MANY, assets: [partly] }).assets).toMatchObject([{ title: { en: "Title" } }]);
    const one = read({ ...MANY, assets: [{ ...asset("a"), fields }] }, { locale: "en" });
    expect(one.assets).toMatchObject([{ title: "Title" }]);
  });

  it("B1, V4d: an empty text of an asset is one of its language, with one locale and with all", () => {
    const files = { file: { en: { url: "//h.example/a", fileName: "a" } } };
    const fields = { ...files, title: { en: "Title", de: "" }, description: { en: "", de: "" } };
    const export_ = { ...MANY, assets: [{ ...asset("a"), fields }] };
    const [all] = read(export_).assets;
    expect([all?.title, all?.description]).toEqual([fields.title, undefined]);
    const [german] = read(export_, { locale: "de" }).assets;
    expect([german?.title, german?.description]).toEqual(["", undefined]);
  });
});

describe("contentful: the account of an export with drafts in locales", () => {
  it("X3, X9: each value of each locale is in the documents of its project, or counted", () => {
    const bed = new TestBed();
    const states = (status: Loose) => ({ fieldStatus: { "*": status } });
    const card = (id: string, fields: Loose, sys: Loose = {}) => ({
      ...entry(id, "card", {}, sys),
      fields,
    });
    const raw = exportOf({
      contentTypes: [
        type("part", TITLE),
        type("card", {
          ...TITLE,
          slug: "Symbol",
          to: { type: "Link", linkType: "Entry", localized: true },
        }),
      ],
      locales: LOCALES,
      entries: [
        card("a", {
          title: { en: "A", de: "Ä" },
          slug: { en: "/a", fr: "x" },
          to: { de: link("p") },
        }),
        card(
          "b",
          { title: { en: "B", de: "no", fr: "F" }, slug: { en: "/b" } },
          states({ de: "draft" }),
        ),
        card("c", { title: { en: "C", xx: "unknown" }, to: { en: link("a"), fr: link("gone") } }),
        // Only a German text leads to it.
        { ...entry("p", "part"), fields: { title: { en: "P", de: "Ä" } } },
        card("d", { title: { de: "D" } }, { publishedVersion: undefined }),
      ],
    });
    const { source, report } = readFiles([exportFile(raw)]);
    bed.store.import(source, new Date());
    bed.publish();
    expect(valueFates(bed, raw, report)).toEqual({ served: 13, problems: 0, unreached: 1 });
    linkFates(bed, raw);
  });
});

describe("X23g: with --only-translated an entry of Contentful is hidden where it is not translated", () => {
  const page = (id: string, fields: Loose, sys: Loose = {}) => ({
    ...entry(id, "page", {}, sys),
    fields,
  });
  const two = { title: { en: "a", de: "b" } };
  const parts = {
    locales: LOCALES,
    contentTypes: [type("page", { ...TITLE, code: "Symbol" })],
    entries: [
      page("all", { title: { en: "a", de: "b", "de-AT": "c" } }),
      page("some", { title: { de: "b", en: null }, code: { en: "x" } }),
      page("none", { code: { en: "x" } }),
      page("draft", two, { publishedVersion: undefined }),
      page("both", two, { fieldStatus: { "*": { en: "published", de: "draft" } } }),
    ],
  };
  const draftsOf = (options: Parameters<typeof read>[1]) =>
    Object.fromEntries(read(parts, options).entries.map(({ id, draft }) => [id, draft]));

  it("of what is not localized nothing is, nor with one locale", () => {
    expect(draftsOf({ onlyTranslated: true })).toEqual({
      all: undefined,
      some: { en: true, "de-AT": true },
      none: undefined,
      draft: true,
      both: { de: true, "de-AT": true },
    });
    const without = { all: undefined, some: undefined, none: undefined, draft: true };
    expect(draftsOf({})).toMatchObject(without);
    expect(draftsOf({ onlyTranslated: true, locale: "de" })).toMatchObject(without);
  });

  it("the projects are the same, and the report says where it is hidden", () => {
    const { projects, report, fates } = read(parts, { onlyTranslated: true });
    expect(projects.map(({ locale }) => locale)).toEqual(["en", "de-AT", "de"]);
    expect(report.draftLocales.map(({ id }) => id).sort()).toEqual(["both", "some"]);
    const some = fates.find(({ id }) => id === "some");
    expect(some?.became?.draft).toEqual({ en: true, "de-AT": true });
  });
});
