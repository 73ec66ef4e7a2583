import { describe, expect, it } from "vitest";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import type { Parts } from "../support/test-bed.ts";
import { changeSummary, diffOf } from "./differ.ts";

type Definition = Omit<FieldDefinition, "key"> & { readonly [option: string]: unknown };
type Definitions = Readonly<Record<string, Definition>>;

/** The fields as those of a model, of a block and of the projects. */
function workspace(definitions: Definitions): Parts {
  const fields = Object.entries(definitions).map(([key, field]) => ({ key, ...field }));
  return {
    fields,
    models: [
      { id: "m-page", key: "page", name: "Page", fields },
      { id: "m-note", key: "note", name: "Note", fields: [] },
    ],
    blocks: [
      { id: "b-hero", key: "hero", name: "Hero", fields },
      { id: "b-wide", key: "wide", name: "Wide", category: "wide", fields: [] },
    ],
    projects: ["p", "q"].map((id) => ({
      id,
      name: id,
      fields: valuesOf(definitions),
      steps: [],
      experiences: [],
    })),
  };
}

const VALUES: JsonObject = {
  text: "a",
  select: "a",
  number: 1,
  integer: 1,
  boolean: true,
  json: {},
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
  "iso-date": "2026-01-01",
  url: "https://a.example",
  email: "a@b.example",
  asset: { assetId: "gone" },
  "html-asset": { assetId: "gone" },
  "content-block": { contentBlockId: "b-wide", data: {} },
  reference: { contentEntryId: "x" },
  "rich-text": ["x"],
};
/** For the fields that need one, or publishing is refused. */
function valuesOf(definitions: Definitions): JsonObject {
  const needed = Object.entries(definitions).filter(
    ([, field]) => field.required || field.minItems,
  );
  return Object.fromEntries(
    needed.map(([key, { type, repeatable }]) => {
      const value = VALUES[type] as JsonValue;
      return [key, repeatable ? [value] : value];
    }),
  );
}

const PLACES = ["model page", "block hero", "project-fields"];

/** "breaking type-changed" and so on by field, which must be the same at all three places. */
function changesOf(before: Definitions, after: Definitions) {
  const { forth, back } = diffOf(workspace(before), workspace(after));
  return [forth, back].map(({ schema }) => {
    const all = schema.map(changeSummary);
    const [inModel = {}, ...elsewhere] = PLACES.map((place) => {
      const fields: Record<string, string[]> = {};
      for (const text of all.filter((one) => one.includes(` ${place}.`))) {
        const [what = "", field = ""] = text.split(` ${place}.`);
        fields[field] = [...(fields[field] ?? []), what].sort();
      }
      return fields;
    });
    for (const other of elsewhere) expect(other).toEqual(inModel);
    const fields = Object.values(inModel).flat().length;
    expect(all, "no other changes").toHaveLength(PLACES.length * fields);
    for (const { projects } of schema) expect(projects).toEqual(["p", "q"]);
    return inModel;
  });
}

const TYPES = [...FIELD_TYPES.keys()];
/** Each type by its name. */
const each = (more: Partial<Definition> = {}): Definitions =>
  Object.fromEntries(TYPES.map((type) => [type, definition(type, more)]));
const definition = (type: string, more: Partial<Definition> = {}): Definition => ({
  type,
  ...(type === "select" && { options: ["a", "b"] }),
  ...more,
});
/** The changes of a field by type, where a content block's are others: a single one can vanish. */
const same = (changes: string[], ofBlocks = changes) =>
  Object.fromEntries(
    TYPES.map((type) => [type, type === "content-block" ? ofBlocks : changes] as const).filter(
      ([, changes]) => changes.length > 0,
    ),
  );

describe("the verdict for every type of field, in models, blocks and project fields", () => {
  it.each<[string, Definitions, Definitions, object, object]>([
    [
      "a field removed is breaking; added: safe",
      each(),
      {},
      same(["breaking field-removed"]),
      same(["safe field-added"]),
    ],
    [
      "a required field becoming optional is breaking; the way back: safe",
      each({ required: true }),
      each(),
      same(["breaking field-optional"], []),
      same(["safe field-required"], []),
    ],
    [
      "an optional field becoming a list, and a list becoming an optional field, are breaking",
      each(),
      each({ repeatable: true }),
      same(["breaking type-changed", "safe field-required"]),
      same(["breaking field-optional", "breaking type-changed"]),
    ],
    [
      "a required field becoming a list, and a list becoming a required field, are breaking",
      each({ required: true }),
      each({ repeatable: true }),
      same(["breaking type-changed"], ["breaking type-changed", "safe field-required"]),
      same(["breaking type-changed"], ["breaking field-optional", "breaking type-changed"]),
    ],
    [
      "a list is always served, so that required or not makes no difference",
      each({ repeatable: true, required: true }),
      each({ repeatable: true }),
      {},
      {},
    ],
    [
      "a name is safe: it is for people",
      each({ name: "Before" }),
      each({ name: "After" }),
      same(["safe name-changed"]),
      same(["safe name-changed"]),
    ],
    [
      "a description is safe: it is for people",
      each({ description: "Before" }),
      each({ description: "After" }),
      same(["safe description-changed"]),
      same(["safe description-changed"]),
    ],
    [
      "the name of a list is safe",
      each({ repeatable: true }),
      each({ repeatable: true, name: "After" }),
      same(["safe name-changed"]),
      same(["safe name-changed"]),
    ],
    [
      "a list's greatest number of elements is a constraint: safe",
      each({ repeatable: true, maxItems: 3 }),
      each({ repeatable: true, maxItems: 4 }),
      same(["safe constraint-changed"]),
      same(["safe constraint-changed"]),
    ],
    [
      "a list's least number of elements is a constraint: safe",
      each({ repeatable: true }),
      each({ repeatable: true, minItems: 1 }),
      same(["safe constraint-changed"], []),
      same(["safe constraint-changed"], []),
    ],
  ])("%s", (_title, before, after, forth, back) => {
    expect(changesOf(before, after)).toEqual([forth, back]);
  });
});

describe("the verdict for the type of a field", () => {
  // The way back is the other order.
  const pairs = TYPES.flatMap((from, at) =>
    TYPES.slice(at + 1).flatMap((to) =>
      // V13: to readers it is a text with a pattern.
      from === "text" && to === "iso-date" ? [] : [[from, to] as const],
    ),
  );
  it.each([false, true])(
    "each type becoming any other is breaking (repeatable: %s)",
    (repeatable) => {
      const [before, after] = [0, 1].map((side) =>
        Object.fromEntries(
          pairs.map((pair) => [
            pair.join("-to-"),
            definition(pair[side] as string, { repeatable }),
          ]),
        ),
      ) as [Definitions, Definitions];
      const expected = Object.fromEntries(
        pairs.map((pair) => [pair.join("-to-"), ["breaking type-changed"]]),
      );
      expect(changesOf(before, after)).toEqual([expected, expected]);
    },
  );

  const SINGLE = [{ maxLength: 3 }, { minLength: 1 }, { pattern: "a" }, { format: "markdown" }].map(
    (more) => ({
      type: "text",
      ...more,
    }),
  );
  const NUMBERS = ["number", "integer"].flatMap((type) =>
    [{ minimum: 1 }, { maximum: 9 }].map((more) => ({ type, ...more })),
  );
  it.each([false, true])(
    "a constraint does not change the type: safe (repeatable: %s)",
    (repeatable) => {
      const limited = [...SINGLE, ...NUMBERS, { type: "iso-date" }].map((field) => ({
        ...field,
        repeatable,
      }));
      const after = Object.fromEntries(limited.map((field, index) => [`f${index}`, field]));
      const before = Object.fromEntries(
        limited.map(({ type }, index) => [
          `f${index}`,
          { type: type === "iso-date" ? "text" : type, repeatable },
        ]),
      );
      const safe = Object.fromEntries(
        limited.map((_field, index) => [`f${index}`, ["safe constraint-changed"]]),
      );
      expect(changesOf(before, after)).toEqual([safe, safe]);
    },
  );

  it("constraints are not compared where the type changed", () => {
    const before = { f: { type: "text", maxLength: 3 }, g: { type: "integer", minimum: 1 } };
    const after = {
      f: { type: "text", maxLength: 3, repeatable: true },
      g: { type: "text", minLength: 1 },
    };
    expect(changesOf(before, after)).toEqual([
      { f: ["breaking type-changed", "safe field-required"], g: ["breaking type-changed"] },
      { f: ["breaking field-optional", "breaking type-changed"], g: ["breaking type-changed"] },
    ]);
  });

  const REFERENCES: Definitions = {
    all: { type: "reference" },
    one: { type: "reference", models: ["page"] },
    list: { type: "reference", models: ["note", "page"], repeatable: true },
    blocks: { type: "content-block" },
    wide: { type: "content-block", category: "wide", repeatable: true },
    none: { type: "content-block", category: "gone" },
    nobody: { type: "reference", models: ["gone"] },
  };
  it("what a field accepts: less is breaking, more is safe; in lists as well", () => {
    const after: Definitions = {
      all: { type: "reference", models: ["note"] },
      one: { type: "reference", models: ["note"] },
      list: { type: "reference", models: ["note"], repeatable: true },
      blocks: { type: "content-block", category: "wide" },
      wide: { type: "content-block", repeatable: true },
      none: { type: "content-block", category: "wide" },
      nobody: { type: "reference", models: ["note"] },
    };
    expect(changesOf(REFERENCES, after)).toEqual([
      {
        all: ["breaking target-removed"],
        one: ["breaking target-removed", "safe target-added"],
        list: ["breaking target-removed"],
        blocks: ["breaking block-refused"],
        wide: ["safe block-accepted"],
        none: ["safe block-accepted"],
        nobody: ["safe target-added"],
      },
      {
        all: ["safe target-added"],
        one: ["breaking target-removed", "safe target-added"],
        list: ["safe target-added"],
        blocks: ["safe block-accepted"],
        wide: ["breaking block-refused"],
        none: ["breaking block-refused"],
        nobody: ["breaking target-removed"],
      },
    ]);
  });

  it("S10: what rich text accepts: pointers as in fields; names are limits", () => {
    const tree = (more: object = {}) => ({ type: "rich-text", ...more });
    const before: Definitions = {
      models: tree(),
      blocks: tree({ blocks: ["hero"], repeatable: true }),
      names: tree({ nodeTypes: ["p"], marks: ["b"] }),
      marks: tree(),
      same: tree({ models: [], blocks: [] }),
    };
    const after: Definitions = {
      models: tree({ models: ["note"] }),
      blocks: tree({ repeatable: true }),
      names: tree({ nodeTypes: ["p", "q"], marks: [] }),
      marks: tree({ marks: ["b"] }),
      same: tree({ models: [], blocks: [] }),
    };
    const limits = { names: ["safe constraint-changed", "safe constraint-changed"] };
    expect(changesOf(before, after)).toEqual([
      {
        ...limits,
        models: ["breaking target-removed"],
        blocks: ["safe block-accepted"],
        marks: ["safe constraint-changed"],
      },
      {
        ...limits,
        models: ["safe target-added"],
        blocks: ["breaking block-refused"],
        marks: ["safe constraint-changed"],
      },
    ]);
  });

  it("an option removed from a select is breaking, one added is safe; in lists as well", () => {
    const select = (options: string[], repeatable = false) => ({
      type: "select",
      options,
      repeatable,
    });
    const [before, after] = [select(["a", "b"]), select(["b", "c", "d"])];
    const lists = [select(["a", "b"], true), select(["b", "c", "d"], true)] as const;
    const forth = ["breaking value-removed", "safe value-added", "safe value-added"];
    const back = ["breaking value-removed", "breaking value-removed", "safe value-added"];
    expect(changesOf({ one: before, list: lists[0] }, { one: after, list: lists[1] })).toEqual([
      { one: forth, list: forth },
      { one: back, list: back },
    ]);
    const sorted = { one: select(["b", "a"]), list: select(["b", "a"], true) };
    expect(changesOf({ one: before, list: lists[0] }, sorted)).toEqual([{}, {}]);
  });
});

it("D2, V4c: that assets have texts now is safe, and that they have none any more is breaking", () => {
  const parts: Parts = {
    models: [{ id: "m", key: "page", name: "Page", fields: [{ key: "a", type: "asset" }] }],
    projects: [{ id: "p", name: "P", steps: [], experiences: [] }],
  };
  const { forth, back } = diffOf(parts, { ...parts, assetTexts: true });
  expect(forth.schema.map(changeSummary)).toEqual(["safe shape-extended model page.a"]);
  expect(back.schema.map(changeSummary)).toEqual(["breaking type-changed model page.a"]);
});
