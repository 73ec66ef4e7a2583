import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPattern } from "../../src/folder/migrate/find-pattern.ts";
import { randomRuns } from "../support/random-runs.ts";

/** The texts of entries, as the maps that a pattern is found in. */
const textsOf = (...entries: readonly Readonly<Record<string, string>>[]) =>
  entries.map((one) => new Map(Object.entries(one)));

const filled = (pattern: string, texts: ReadonlyMap<string, string>) =>
  pattern.replaceAll(/\{(\w+)\}/g, (_, name) => texts.get(name) ?? "");

describe("Q21: the pattern of ids, keys and names", () => {
  const articles = textsOf(
    { id: "e1", slug: "alpha", section: "news", kind: "article", note: "" },
    { id: "e2", slug: "apple", section: "travel", kind: "article", note: "x" },
  );
  it.each<[string, string[], string | undefined]>([
    ["a field alone", ["alpha", "apple"], "{slug}"],
    ["the id", ["e1", "e2"], "{id}"],
    ["text around, as long as it is the same", ["a-alpha.html", "a-apple.html"], "a-{slug}.html"],
    ["several fields", ["news-alpha", "travel-apple"], "{section}-{slug}"],
    ["what all entries have is text", ["article-alpha", "article-apple"], "article-{slug}"],
    ["the same text for all", ["Article", "Article"], "Article"],
    ["no field has it", ["alpha", "apples"], undefined],
    ["a field without a value in one of them", ["-", "x-"], undefined],
    ["braces, which no pattern can have", ["{alpha", "{apple"], undefined],
  ])("Q21: %s", (_what, wanted, pattern) => {
    expect(findPattern(wanted, articles)).toBe(pattern);
  });

  it("Q21: where a pattern gives all, one is found that does", () => {
    const word = fc.stringMatching(/^[ab-]{1,4}$/);
    const entry = fc.record({ id: word, slug: word, section: word });
    const part = fc.oneof(word, fc.constantFrom("{id}", "{slug}", "{section}"));
    const pattern = fc
      .array(part, { minLength: 1, maxLength: 5 })
      .filter((parts) => parts.filter((one) => one.startsWith("{")).length <= 3);
    const entries = fc.uniqueArray(entry, { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(entries, pattern, (list, parts) => {
        const texts = textsOf(...list);
        const names = ["id", "slug", "section"] as const;
        const varied = names.filter((name) => new Set(list.map((one) => one[name])).size > 1);
        const meant = parts
          .map((one) => names.find((name) => one === `{${name}}` && !varied.includes(name)) ?? one)
          .map((one) => (names.includes(one as "id") ? (list[0]?.[one as "id"] ?? "") : one))
          .join("");
        const wanted = texts.map((one) => filled(meant, one));
        const found = findPattern(wanted, texts) as string;
        expect(texts.map((one) => filled(found, one))).toEqual(wanted);
      }),
      { numRuns: randomRuns(2000) },
    );
  });

  it("Q21: many fields of one letter take no long time", () => {
    const letters = (letter: string) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, letter]));
    const wanted = [`${"a".repeat(120)}c`, `${"b".repeat(120)}c`];
    expect(findPattern(wanted, textsOf(letters("a"), letters("b")))).toBeUndefined();
  });
});
