import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { migrateFolder, readDefinitions } from "../../src/folder/migrate/migrate-folder.ts";
import type { RelaxedConstraint } from "../../src/folder/migrate/migration.ts";
import { relax } from "../../src/folder/migrate/relax.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { allowPatterns } from "../support/allow-patterns.ts";
import { draftIn } from "../support/documents/rendered.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

type Field = Record<string, JsonValue>;
type Records = Readonly<Record<string, JsonValue>>;

const errorsOf = (folder: string) =>
  checkDraft(new Rendering(draftIn(folder)))
    .filter(({ level }) => level === "error")
    .map(({ code }) => code);

/** Relaxes a folder, which has no error then. */
async function relaxed(records: Records) {
  const folder = workspaceFolder(records as Record<string, never>);
  const before = errorsOf(folder);
  const migration = relax(readDefinitions(folder));
  for (const { file, after } of await migrateFolder(folder, migration)) {
    writeFileSync(join(folder, file), after);
  }
  expect(errorsOf(folder)).toEqual([]);
  return { before, dropped: migration.relaxed, now: readDefinitions(folder) };
}

const TARGET = { id: "other", key: "other", name: "Other", fields: [] };
const refers = { contentEntryId: "pointed" };

/** Relaxes the field `f` of a model, for an entry per value; undefined: without a value. */
async function field(
  definition: Field,
  values: readonly (JsonValue | undefined)[],
  languages: readonly string[][] = [],
) {
  const models = [{ id: "m", key: "m", name: "M", fields: [{ key: "f", ...definition }] }, TARGET];
  const entries = values.map((value, at) => ({
    id: `e${at}`,
    modelId: "m",
    data: value === undefined ? {} : { f: value },
  }));
  const projects = languages.map(([locale, ...fallbackLocales], at) => ({
    id: `p${at}`,
    name: "P",
    locale,
    fallbackLocales,
    steps: [],
    experiences: [],
  }));
  const pointed = { id: "pointed", modelId: "other", data: {} };
  const got = await relaxed({
    "models.json": models as never,
    "entries.json": [...entries, pointed] as never,
    "projects.json": projects as never,
  });
  const [found] = got.now.models.find(({ id }) => id === "m")?.fields ?? [];
  const { key: _, ...now } = found as unknown as JsonObject;
  return { ...got, now };
}

const broken = (
  constraint: string,
  more: Partial<RelaxedConstraint> = {},
): Partial<RelaxedConstraint> => ({
  kind: "models",
  key: "m",
  field: "f",
  constraint,
  entries: 1,
  example: "e0",
  ...more,
});

const gone = { contentEntryId: "gone" };
const RICH = { type: "rich-text", models: ["m"], nodeTypes: ["p"], marks: ["b"] };
const without = (definition: Field, name: string): Field =>
  Object.fromEntries(Object.entries(definition).filter(([one]) => one !== name));

describe("M8: relax drops exactly the constraints that content breaks", () => {
  it.each<[string, Field, JsonValue | undefined]>([
    ["required", { type: "text", required: true, maxLength: 1 }, undefined],
    ["required", { type: "rich-text", required: true }, []],
    ["minLength", { type: "text", minLength: 2, maxLength: 3, pattern: "a" }, "a"],
    ["maxLength", { type: "text", minLength: 1, maxLength: 2, pattern: "a" }, "aaa"],
    ["pattern", { type: "text", minLength: 1, pattern: "^a$", required: true }, "b"],
    ["minimum", { type: "number", minimum: 1, maximum: 2 }, 0.5],
    ["maximum", { type: "integer", minimum: 1, maximum: 2 }, 3],
    ["minItems", { type: "text", repeatable: true, minItems: 2, maxItems: 3 }, ["a"]],
    ["minItems", { type: "text", repeatable: true, minItems: 2 }, undefined],
    ["maxItems", { type: "text", repeatable: true, maxItems: 1, minLength: 1 }, ["a", "b"]],
    ["minLength", { type: "text", repeatable: true, maxItems: 2, minLength: 2 }, ["aa", "b"]],
    ["models", { type: "reference", models: ["m"], required: true }, refers],
    ["models", { type: "reference", models: ["gone"] }, refers],
    ["required", { type: "asset", required: true }, { assetId: "gone" }],
    ["required", { type: "html-asset", required: true }, { assetId: "gone" }],
    ["minItems", { type: "asset", repeatable: true, minItems: 1 }, [{ assetId: "gone" }]],
    ["minItems", { type: "reference", repeatable: true, minItems: 1 }, [gone]],
    ["models", RICH, [refers]],
    ["nodeTypes", RICH, [{ type: "odd" }]],
    ["marks", RICH, { type: "p", marks: ["odd"] }],
  ])("%s of %j for %j", async (constraint, definition, value) => {
    const { before, dropped, now } = await field(definition, [value]);
    expect(before).toHaveLength(1);
    expect(now).toEqual(without(definition, constraint));
    expect(dropped).toEqual([broken(constraint)]);
  });

  it.each<[string, Field, JsonValue, Field, (readonly string[])?]>([
    [
      "options",
      { type: "select", options: ["a"], title: true },
      "b",
      { type: "text", title: true },
    ],
    ["format", { type: "date", unique: true }, "today", { type: "text", unique: true }],
    ["format", { type: "url", required: true }, "x", { type: "text", required: true }],
    [
      "type",
      { type: "text", maxLength: 9, title: true },
      7,
      { type: "json" },
      ["maxLength", "title"],
    ],
    ["type", { type: "integer", minimum: 1 }, 1.5, { type: "json" }, ["minimum"]],
    ["type", { type: "rich-text" }, "text", { type: "json" }],
    [
      "type",
      { type: "rich-text" },
      { contentEntryId: "a", contentModelKey: "b" },
      { type: "json" },
    ],
    [
      "type",
      { type: "text", repeatable: true, maxItems: 2 },
      ["a", 1],
      { type: "json", repeatable: true, maxItems: 2 },
    ],
    [
      "repeatable",
      { type: "text", name: "F", repeatable: true, maxItems: 2 },
      "a",
      { type: "json", name: "F" },
      ["maxItems"],
    ],
  ])(
    "M8a: %s of %j for %j gives it another type",
    async (constraint, definition, value, now, lost) => {
      const got = await field(definition, [value]);
      expect(got.before).toHaveLength(1);
      expect(got.now).toEqual(now);
      const more = { now: now.type as string, ...(lost && { with: lost }) };
      expect(got.dropped).toEqual([broken(constraint, more)]);
    },
  );

  it("V3: null in a list is a value of json alone", async () => {
    const { now, dropped } = await field({ type: "text", repeatable: true }, [["a", null]]);
    expect(now).toEqual({ type: "json" });
    expect(dropped?.map(({ constraint }) => constraint)).toEqual(["type", "repeatable"]);
  });

  it("V10: unique is dropped when two entries have the same value", async () => {
    const definition = { type: "text", unique: true, maxLength: 1 };
    const { now, dropped } = await field(definition, ["a", "b", "a", undefined, "a"]);
    expect(now).toEqual({ type: "text", maxLength: 1 });
    expect(dropped).toEqual([broken("unique", { entries: 2, example: "e2" })]);
  });

  it("each constraint of a field is listed, one behind the other in a value too", async () => {
    const definition = { type: "text", required: true, minLength: 2, pattern: "a" };
    const { now, dropped } = await field(definition, ["aa", "b", undefined, "cc", undefined]);
    expect(now).toEqual({ type: "text" });
    expect(dropped).toEqual([
      broken("minLength", { example: "e1" }),
      broken("required", { entries: 2, example: "e2" }),
      broken("pattern", { example: "e3" }),
    ]);
    const alone = await field({ type: "text", minLength: 2, pattern: "a" }, ["b"]);
    expect(alone.dropped).toEqual([broken("minLength"), broken("pattern")]);
  });

  it("P4: a pattern that a value cannot be tested with in time is dropped", async () => {
    allowPatterns({ one: 250, all: 5000 });
    const { now } = await field({ type: "text", pattern: "^(a+)+$" }, [`${"a".repeat(99)}!`]);
    expect(now).toEqual({ type: "text" });
  });

  it("constraints that no entry breaks stay; missing targets break none", async () => {
    const rich = { type: "rich-text", models: ["other"], nodeTypes: ["p"], marks: [] };
    for (const [definition, value] of [
      [{ type: "text", required: true, minLength: 1, maxLength: 1, pattern: "." }, "😀"],
      [{ type: "reference", models: ["other"], minItems: 1, repeatable: true }, [refers]],
      [{ type: "reference", models: ["m"] }, gone],
      [rich, [{ type: "p", refers }]],
    ] as [Field, JsonValue][]) {
      expect(await field(definition, [value])).toMatchObject({ now: definition, dropped: [] });
    }
  });

  it("A1, A3: drafts break nothing; what is published at some time does", async () => {
    const models = [
      { id: "m", key: "m", name: "M", fields: [{ key: "f", type: "text", maxLength: 1 }] },
    ];
    const entry = (id: string, more: JsonObject) => ({
      id,
      modelId: "m",
      ...more,
      data: { f: "ab" },
    });
    const draft = entry("a", { draft: true });
    const folder = { "models.json": models, "entries.json": [draft] };
    expect((await relaxed(folder)).dropped).toEqual([]);
    const due = entry("b", { publishAt: "2126-01-01T00:00:00Z" });
    const { dropped } = await relaxed({ ...folder, "entries.json": [draft, due] });
    expect(dropped).toEqual([broken("maxLength", { example: "b" })]);
  });

  it("fields of blocks, wherever they are stored, and of projects are relaxed too", async () => {
    const text = { key: "t", type: "text", maxLength: 1 };
    const block = (data: JsonObject) => ({ contentBlockId: "b", data });
    const inner = { key: "inner", type: "content-block", repeatable: true, category: "x" };
    const { dropped, now } = await relaxed({
      "workspace.json": { id: "w", name: "W", fields: [{ key: "p", type: "text", minLength: 9 }] },
      "models.json": [
        {
          id: "m",
          key: "m",
          name: "M",
          fields: [
            { key: "body", type: "rich-text" },
            { key: "one", type: "content-block", localized: true },
          ],
        },
      ],
      "blocks.json": [{ id: "b", key: "hero", name: "B", fields: [text, inner] }],
      "projects.json": [
        { id: "p", name: "P", locale: "en", fields: { p: "short" }, steps: [], experiences: [] },
      ],
      "entries.json": [
        { id: "e", modelId: "m", data: { body: [{ type: "x", content: [block({ t: "ab" })] }] } },
        { id: "f", modelId: "m", data: { one: { en: block({ inner: [block({ t: "cd" })] }) } } },
      ],
    });
    expect(dropped).toEqual([
      broken("category", { kind: "blocks", key: "hero", field: "inner", example: "f" }),
      {
        ...broken("maxLength", { kind: "blocks", key: "hero", field: "t" }),
        entries: 2,
        example: "e",
      },
      broken("minLength", { kind: "workspace", key: "w", field: "p", example: "p" }),
    ]);
    expect(now.blocks[0]?.fields).toEqual([
      { key: "t", type: "text" },
      { key: "inner", type: "content-block", repeatable: true },
    ]);
  });
});

describe("B6: relaxed localized fields lose what a value of a language breaks", () => {
  const DE_EN = [["de"], ["en"]];

  it.each<[string, Field, JsonValue]>([
    ["maxLength", { type: "text", maxLength: 1 }, { de: "a", en: "aa" }],
    ["minItems", { type: "text", repeatable: true, minItems: 1 }, { de: ["a"] }],
    ["required", { type: "text", required: true }, { de: "a", en: null }],
    ["required", { type: "text", required: true }, {}],
    ["models", { type: "reference", models: ["m"] }, { en: refers }],
  ])("B6, B3: %s of %j for %j", async (constraint, definition, value) => {
    const got = await field({ ...definition, localized: true }, [value], DE_EN);
    expect(got.now).toEqual({ ...without(definition, constraint), localized: true });
    expect(got.dropped).toEqual([broken(constraint)]);
  });

  it.each<[string, Field, JsonValue, Field]>([
    [
      "type",
      { type: "text", required: true },
      { de: 1, en: "a" },
      { type: "json", required: true, localized: true },
    ],
    [
      "repeatable",
      { type: "text", repeatable: true },
      { en: "b" },
      { type: "json", localized: true },
    ],
    ["localized", { type: "text", required: true }, "no locales", { type: "json", required: true }],
  ])("B6, B2: %s of %j for %j", async (constraint, definition, value, now) => {
    const got = await field({ ...definition, localized: true }, [value], DE_EN);
    expect(got.now).toEqual(now);
    expect(got.dropped).toEqual([broken(constraint, { now: "json" })]);
  });

  it("B6, B1: a fallback is a value; of what no language has nothing is checked", async () => {
    const definition = { type: "text", required: true, maxLength: 1, localized: true };
    const value = { de: "a", en: "long", fr: "b" };
    const kept = await field(
      definition,
      [value],
      [
        ["de-AT", "de"],
        ["fr", "en"],
      ],
    );
    expect(kept).toMatchObject({ dropped: [], now: definition });
    const got = await field(definition, [value, { fr: "b" }], [["de"], ["en", "fr"]]);
    expect(got.dropped).toEqual([broken("maxLength"), broken("required", { example: "e1" })]);
  });

  it("B6, B4: unique compares what one language has, with its fallback", async () => {
    const unique = { type: "text", unique: true, localized: true };
    const values = [{ de: "a", en: "b" }, { de: "b", en: "a" }, { de: "c" }];
    expect(await field(unique, values, DE_EN)).toMatchObject({ dropped: [] });
    const got = await field(unique, [...values, { de: "b" }], [["en", "de"]]);
    expect(got.dropped).toEqual([broken("unique", { example: "e3" })]);
  });
});
