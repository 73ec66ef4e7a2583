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

/** The title as it is read in a locale. */
function titleIn(locale: string | undefined, title: object, fields: object = TITLE) {
  return dataOf(fields, { title }, { locales: LOCALES }, { locale })?.title;
}

describe("contentful: one locale is taken", () => {
  it("the default one, wherever it stands in the list, unless another is asked for", () => {
    expect(titleIn(undefined, { de: "de", en: "en" })).toBe("en");
    expect(titleIn("de", { de: "de", en: "en" })).toBe("de");
  });

  it("a value that is missing or null is that of the locale it falls back to, and so on", () => {
    expect(titleIn("de-AT", { de: "de", en: "en" })).toBe("de");
    expect(titleIn("de-AT", { "de-AT": null, de: null, en: "en" })).toBe("en");
    expect(titleIn("de-AT", { fr: "fr" })).toBeUndefined();
  });

  it("false, 0 and an empty text are values: nothing is fallen back to", () => {
    for (const value of [false, 0, "", []])
      expect(titleIn("de", { de: value, en: "en" })).toEqual(value);
  });

  it("a locale without a fall-back has none, and one that falls back in a circle ends", () => {
    expect(titleIn("en", { de: "de" })).toBeUndefined();
    expect(titleIn("fr", { en: "en" })).toBeUndefined();
    expect(titleIn("fr", { "fr-CA": "ca" })).toBe("ca");
  });

  it("a field that is not localized has its value in the default locale, whatever is left in others", () => {
    expect(titleIn("fr", { en: "en", fr: "left over" }, { title: "Symbol" })).toBe("en");
  });

  it("a locale that the export does not have is wrong usage, which names those it has", () => {
    expect(() => titleIn("nl", {})).toThrow(UsageError);
    expect(() => titleIn("nl", {})).toThrow('no locale "nl"');
    expect(() => titleIn("__proto__", {})).toThrow(UsageError);
  });

  it("without a list of locales, the one that most values are in is the default", () => {
    const entries = [
      { ...entry("e1", "page"), fields: { title: { de: "a", en: "b" } } },
      { ...entry("e2", "page"), fields: { title: { de: "c" } } },
    ];
    const read1 = read({ contentTypes: [type("page", TITLE)], entries, locales: [] });
    expect(read1.report.locale).toBe("de");
    expect(read1.entries.map(({ data }) => data.title)).toEqual(["a", "c"]);
  });

  it("__proto__, constructor and toString are locales and fields like others", () => {
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

  it("an asset's file is that of the locale, then of its fall-backs, then any that was processed", () => {
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
