import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/workspace/errors.ts";
import { asset, dataOf, entry, read, type } from "../support/contentful/contentful-export.ts";

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
  it("the default one, wherever it is in the list, unless another is requested", () => {
    expect(titleIn(undefined, { de: "de", en: "en" })).toBe("en");
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

  it("X3: an entry that is a draft in the locale has draft: true, and a draft in a fallback gives no value", () => {
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
    const read1 = read({ contentTypes: [type("page", TITLE)], entries, locales: [] });
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
