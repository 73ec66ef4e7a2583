import { describe, expect, it } from "vitest";
import { type DroppedConstraint, relax } from "../../src/folder/relax.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import type { Entry, Model, Project } from "../../src/workspace/records.ts";
import { allowPatterns } from "../support/allow-patterns.ts";
import { TestBed } from "../support/test-bed.ts";

type Definition = Record<string, JsonValue>;

const OTHER = { id: "other", key: "other", name: "Other", fields: [] };
const POINTED: Entry = { id: "pointed", modelId: "other", data: {} };

/** Relaxes a model with one localized field `f` for projects with these locales and fallbacks. */
function relaxedIn(
  languages: readonly string[][],
  definition: Definition,
  ...values: readonly (JsonValue | undefined)[]
) {
  const field = { key: "f", localized: true, ...definition } as unknown as FieldDefinition;
  const model = { id: "m", key: "m", name: "M", fields: [field] };
  const entries = values.map((value, index) => ({
    ...{ id: `e${index}`, modelId: "m", data: value === undefined ? {} : { f: value } },
  }));
  const projects = languages.map(([locale, ...fallbackLocales], at) => ({
    ...{ id: `p${at}`, name: "P", locale, fallbackLocales, steps: [], experiences: [] },
  })) as unknown as Project[];
  const all = [...entries, POINTED];
  const errorsOf = (models: Model[]) =>
    new TestBed({ models, projects, entries: all })
      .check()
      .filter(({ level, code }) => level === "error" && code !== "locale-missing");
  const { models, dropped } = relax([model, OTHER], all, languages);
  const { key: _, ...now } = (models[0]?.fields[0] ?? { key: "" }) as FieldDefinition & Definition;
  return { now, dropped, before: errorsOf([model, OTHER]), after: errorsOf(models) };
}

/** Relaxes a model with one field `f`, for an entry per value; undefined: without a value. */
function relaxed(definition: Definition, ...values: readonly (JsonValue | undefined)[]) {
  const field = { key: "f", ...definition } as unknown as FieldDefinition;
  const model = { id: "m", key: "m", name: "M", fields: [field] };
  const entries = values.map((value, index) => {
    const data: Record<string, JsonValue> = value === undefined ? {} : { f: value };
    return { id: `e${index}`, modelId: "m", data };
  });
  const all = [...entries, POINTED];
  const { models, dropped } = relax([model, OTHER], all);
  const { key: _, ...now } = (models[0]?.fields[0] ?? { key: "" }) as FieldDefinition & Definition;
  const before = new TestBed({ models: [model, OTHER], entries: all }).check();
  const after = new TestBed({ models, entries: all }).check();
  return { now, dropped, before, after: after.filter(({ level }) => level === "error") };
}

const broken = (
  constraint: string,
  more: Partial<DroppedConstraint> = {},
): Partial<DroppedConstraint> => ({
  ...{ model: "m", field: "f", constraint, entries: 1, example: "e0" },
  ...more,
});
const refers = { contentEntryId: "pointed" };

describe("relax: exactly the constraints that an entry breaks are dropped", () => {
  it.each<[string, Definition, JsonValue | undefined, Definition]>([
    [
      "required",
      { type: "text", required: true, maxLength: 1 },
      undefined,
      { type: "text", maxLength: 1 },
    ],
    [
      "minLength",
      { type: "text", minLength: 2, maxLength: 3, pattern: "a" },
      "a",
      { type: "text", maxLength: 3, pattern: "a" },
    ],
    [
      "maxLength",
      { type: "text", minLength: 1, maxLength: 2, pattern: "a" },
      "aaa",
      { type: "text", minLength: 1, pattern: "a" },
    ],
    [
      "pattern",
      { type: "text", minLength: 1, pattern: "^a$", required: true },
      "b",
      { type: "text", minLength: 1, required: true },
    ],
    ["minimum", { type: "number", minimum: 1, maximum: 2 }, 0.5, { type: "number", maximum: 2 }],
    ["maximum", { type: "integer", minimum: 1, maximum: 2 }, 3, { type: "integer", minimum: 1 }],
    [
      "minItems",
      { type: "text", repeatable: true, minItems: 2, maxItems: 3 },
      ["a"],
      { type: "text", repeatable: true, maxItems: 3 },
    ],
    [
      "minItems",
      { type: "text", repeatable: true, minItems: 2 },
      undefined,
      { type: "text", repeatable: true },
    ],
    [
      "maxItems",
      { type: "text", repeatable: true, maxItems: 1, minLength: 1 },
      ["a", "b"],
      { type: "text", repeatable: true, minLength: 1 },
    ],
    [
      "minLength",
      { type: "text", repeatable: true, maxItems: 2, minLength: 2 },
      ["aa", "b"],
      { type: "text", repeatable: true, maxItems: 2 },
    ],
    [
      "models",
      { type: "reference", models: ["m"], required: true },
      refers,
      { type: "reference", required: true },
    ],
    ...[
      ["models", [refers]] as const,
      ["nodeTypes", [{ type: "odd" }]] as const,
      ["marks", { type: "p", marks: ["odd"] }] as const,
    ].map(([name, value]): [string, Definition, JsonValue, Definition] => {
      const limits = { models: ["m"], nodeTypes: ["p"], marks: ["b"] };
      const { [name]: _, ...others } = limits;
      return [name, { type: "rich-text", ...limits }, value, { type: "rich-text", ...others }];
    }),
  ])("%s of %j by %j leaves %j", (constraint, definition, value, now) => {
    const got = relaxed(definition, value);
    expect(got.before.map(({ level }) => level)).toEqual(["error"]);
    expect(got.now).toEqual(now);
    expect(got.dropped).toEqual([broken(constraint)]);
    expect(got.after).toEqual([]);
  });

  it.each<[string, Definition, JsonValue, Definition]>([
    [
      "options",
      { type: "select", options: ["a"], name: "F", required: true },
      "b",
      { type: "text", name: "F", required: true },
    ],
    [
      "options",
      { type: "select", options: ["a"], repeatable: true, maxItems: 2 },
      ["b"],
      { type: "text", repeatable: true, maxItems: 2 },
    ],
    ["type", { type: "text", maxLength: 9, required: true }, 7, { type: "json", required: true }],
    ["type", { type: "integer", minimum: 1 }, 1.5, { type: "json" }],
    ["type", { type: "reference", models: ["m"] }, "x", { type: "json" }],
    [
      "type",
      { type: "text", repeatable: true, maxItems: 2 },
      ["a", 1],
      { type: "json", repeatable: true, maxItems: 2 },
    ],
    ["repeatable", { type: "text", repeatable: true, maxItems: 2 }, "a", { type: "json" }],
    ["type", { type: "rich-text", models: ["m"] }, "text", { type: "json" }],
    [
      "repeatable",
      { type: "asset", repeatable: true, required: true },
      [null],
      { type: "json", required: true },
    ],
  ])("%s of %j by %j makes it %j, and reports the type", (constraint, definition, value, now) => {
    const got = relaxed(definition, value);
    expect(got.before.filter(({ level }) => level === "error").length).toBe(1);
    expect(got.now).toEqual(now);
    const lost = Object.keys(definition).filter(
      (member) => !(member in now) && ![constraint, "repeatable"].includes(member),
    );
    const more = lost.length > 0 ? { with: lost } : {};
    expect(got.dropped).toEqual([broken(constraint, { now: now.type as string, ...more })]);
    expect(got.after).toEqual([]);
  });

  it("V10: unique is dropped when two entries have the same value", () => {
    const definition = { type: "text", unique: true, maxLength: 1 };
    const { now, dropped, before, after } = relaxed(definition, "a", "b", "a", undefined, "a");
    expect(before.map(({ code }) => code)).toEqual(["value-duplicate", "value-duplicate"]);
    expect(now).toEqual({ type: "text", maxLength: 1 });
    expect(dropped).toEqual([broken("unique", { entries: 2, example: "e2" })]);
    expect(after).toEqual([]);
    expect(relaxed(definition, "a", "A", "", undefined)).toMatchObject({ now: definition });
  });

  it("V11: required is dropped when rich text is empty", () => {
    const { now, dropped, after } = relaxed({ type: "rich-text", required: true }, [], [{}]);
    expect(now).toEqual({ type: "rich-text" });
    expect(dropped).toEqual([broken("required")]);
    expect(after).toEqual([]);
  });

  it("a required list with a minimum loses both when it is missing", () => {
    const definition = { type: "text", repeatable: true, required: true, minItems: 1 };
    const { now, dropped, after } = relaxed(definition, undefined);
    expect(now).toEqual({ type: "text", repeatable: true });
    expect(dropped.map(({ constraint }) => constraint)).toEqual(["required", "minItems"]);
    expect(after).toEqual([]);
  });

  it("each constraint of a field is reported with the number of entries that break it", () => {
    const definition = { type: "text", required: true, minLength: 2, pattern: "a" };
    const { now, dropped, after } = relaxed(definition, "aa", "b", undefined, "bb", undefined);
    expect(now).toEqual({ type: "text" });
    expect(dropped).toEqual([
      broken("minLength", { example: "e1" }),
      broken("pattern", { entries: 2, example: "e1" }),
      broken("required", { entries: 2, example: "e2" }),
    ]);
    expect(after).toEqual([]);
  });

  it("P4: a pattern that a value cannot be tested with in time is dropped", () => {
    allowPatterns({ one: 250, all: 5000 });
    const definition = { type: "text", pattern: "^(a+)+$" };
    const { now, after } = relaxed(definition, "aaa", `${"a".repeat(99)}!`);
    expect(now).toEqual({ type: "text" });
    expect(after).toEqual([]);
  });

  it("a list that becomes json also loses its broken limits, and keeps the others", () => {
    const definition = { type: "text", repeatable: true, minItems: 1, maxItems: 2 };
    const { now, after } = relaxed(definition, ["a", 1, "b"]);
    expect(now).toEqual({ type: "json", repeatable: true, minItems: 1 });
    expect(after).toEqual([]);
  });

  it("constraints that no entry breaks stay; missing targets break none", () => {
    const kept: [Definition, JsonValue][] = [
      [{ type: "text", required: true, minLength: 1, maxLength: 1, pattern: "." }, "😀"],
      [{ type: "reference", models: ["other"], minItems: 1, repeatable: true }, [refers]],
      [{ type: "reference", models: ["m"] }, { contentEntryId: "gone" }],
      [{ type: "select", options: ["a"] }, "a"],
      [
        { type: "rich-text", models: ["other"], nodeTypes: ["p"], marks: [] },
        [{ type: "p", refers }],
      ],
    ];
    for (const [definition, value] of kept) {
      expect(relaxed(definition, value)).toMatchObject({ now: definition, dropped: [] });
    }
  });
});

describe("B6: relaxed localized fields lose what a value of a language breaks", () => {
  const localized = { localized: true };
  const DE_EN = [["de"], ["en"]];

  it.each<[string, Definition, JsonValue, Definition]>([
    ["maxLength", { type: "text", maxLength: 1 }, { de: "a", en: "aa" }, { type: "text" }],
    [
      "minItems",
      { type: "text", repeatable: true, minItems: 1 },
      { de: ["a"] },
      {
        ...{ type: "text", repeatable: true },
      },
    ],
    ["required", { type: "text", required: true }, { de: "a", en: null }, { type: "text" }],
    ["required", { type: "text", required: true }, {}, { type: "text" }],
    ["models", { type: "reference", models: ["m"] }, { en: refers }, { type: "reference" }],
  ])("B6, B3: %s of %j by %j leaves %j", (constraint, definition, value, now) => {
    const got = relaxedIn(DE_EN, definition, value);
    expect(got.before).not.toEqual([]);
    expect(got.now).toEqual({ ...now, ...localized });
    expect(got.dropped).toEqual([broken(constraint)]);
    expect(got.after).toEqual([]);
  });

  it.each<[string, Definition, JsonValue, Definition]>([
    [
      "type",
      { type: "text", required: true },
      { de: 1, en: "a" },
      { type: "json", required: true, ...localized },
    ],
    ["options", { type: "select", options: ["a"] }, { en: "b" }, { type: "text", ...localized }],
    ["repeatable", { type: "text", repeatable: true }, { en: "b" }, { type: "json", ...localized }],
    ["localized", { type: "text", required: true }, "no locales", { type: "json", required: true }],
  ])("B6, B2: %s of %j by %j makes it %j", (constraint, definition, value, now) => {
    const got = relaxedIn(DE_EN, definition, value);
    expect(got.before).not.toEqual([]);
    expect(got.now).toEqual(now);
    expect(got.dropped).toEqual([broken(constraint, { now: now.type as string })]);
    expect(got.after).toEqual([]);
  });

  it("B6, B1: a fallback is a value; of what no language has nothing is checked", () => {
    const definition = { type: "text", required: true, maxLength: 1 };
    const value = { de: "a", en: "long", fr: "b" };
    expect(
      relaxedIn(
        [
          ["de-AT", "de"],
          ["fr", "en"],
        ],
        definition,
        value,
      ),
    ).toMatchObject({
      ...{ before: [], dropped: [], now: { ...definition, ...localized } },
    });
    const got = relaxedIn([["de"], ["en", "fr"]], definition, value, { fr: "b" });
    expect(got.dropped).toEqual([broken("maxLength"), broken("required", { example: "e1" })]);
    expect(got.after).toEqual([]);
  });

  it("B6, B4: unique compares what one language has, with its fallback", () => {
    const unique = { type: "text", unique: true };
    const values = [{ de: "a", en: "b" }, { de: "b", en: "a" }, { de: "c" }];
    expect(relaxedIn(DE_EN, unique, ...values)).toMatchObject({ before: [], dropped: [] });
    const got = relaxedIn([["en", "de"]], unique, ...values, { de: "b" });
    expect(got.before).not.toEqual([]);
    expect(got.dropped).toEqual([broken("unique", { example: "e3" })]);
    expect(got.now).toEqual({ type: "text", ...localized });
  });

  it("B6: without the languages, each locale's value is checked, and one is enough", () => {
    const definition = { type: "text", required: true, maxLength: 1, unique: true };
    for (const languages of [[], [[]]]) {
      const kept = relaxedIn(languages, definition, { de: "a" }, { en: "a", de: null });
      expect(kept).toMatchObject({ dropped: [], now: { ...definition, ...localized } });
      const got = relaxedIn(
        languages,
        definition,
        { fr: "aa", de: "a" },
        { de: "a" },
        { en: null },
      );
      expect(got.dropped).toEqual([
        broken("maxLength"),
        broken("unique", { example: "e1" }),
        broken("required", { example: "e2" }),
      ]);
    }
  });
});
