import { describe, expect, it } from "vitest";
import { changesOf, type Definitions, definition, TYPES } from "./field-verdicts.ts";

describe("the verdict for the type of a field", () => {
  // The way back is the other order.
  const pairs = TYPES.flatMap((from, at) => TYPES.slice(at + 1).map((to) => [from, to] as const));
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
      const limited = [...SINGLE, ...NUMBERS].map((field) => ({ ...field, repeatable }));
      const after = Object.fromEntries(limited.map((field, index) => [`f${index}`, field]));
      const before = Object.fromEntries(
        limited.map(({ type }, index) => [`f${index}`, { type, repeatable }]),
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
