import { describe, expect, it } from "vitest";
import { problemsOf, withEntry } from "../support/documents/served-data.ts";

const TEXT = { key: "a", type: "text" };
const LIST = { ...TEXT, repeatable: true };
const BLOCK = { key: "a", type: "content-block" };

const QUOTE = { id: "b-quote", key: "quote", name: "Quote", fields: [{ ...TEXT, required: true }] };
const OUTER = { id: "b-outer", key: "outer", name: "Outer", fields: [{ ...BLOCK, key: "inner" }] };
const BLOCKS = { blocks: [QUOTE, OUTER] };
const quote = (data: { a?: string }) => ({ contentBlockId: "b-quote", data });
const outer = (inner: ReturnType<typeof quote>) => ({ contentBlockId: "b-outer", data: { inner } });

const SHOP = {
  models: [{ id: "m-shop", key: "shop", name: "Shop", fields: [] }],
  entries: [{ id: "shop-1", modelId: "m-shop", data: {} }],
};

describe("P2: value-missing", () => {
  const missing = ["error value-missing entry home#/a"];

  it("P2: a required field has no value", () => {
    expect(problemsOf(withEntry([{ ...TEXT, required: true }], {}))).toEqual(missing);
    expect(problemsOf(withEntry([{ ...TEXT, required: true }], { a: null }))).toEqual(missing);
    expect(problemsOf(withEntry([{ ...LIST, required: true }], {}))).toEqual(missing);
    expect(problemsOf(withEntry([{ ...BLOCK, required: true }], {}))).toEqual(missing);
  });

  it("P2: an empty text and an empty list are values, and a field may be optional", () => {
    const fields = [
      { ...TEXT, required: true },
      { ...LIST, key: "b", required: true },
      { ...TEXT, key: "c" },
    ];
    expect(problemsOf(withEntry(fields, { a: "", b: [] }))).toEqual([]);
  });

  it("P2: an inherited member is not a value", () => {
    const fields = [{ key: "constructor", type: "json", required: true }];
    expect(problemsOf(withEntry(fields, {}))).toEqual([
      "error value-missing entry home#/constructor",
    ]);
  });

  it("P2: it is not reported for a single content-block whose block was deleted", () => {
    const stored = { a: { contentBlockId: "b-gone", data: {} } };
    expect(problemsOf(withEntry([{ ...BLOCK, required: true }], stored))).toEqual([
      "warning block-deleted entry home#/a",
    ]);
  });

  it("P2: a required field of the project has no value", () => {
    const fields = [{ ...TEXT, required: true }];
    expect(problemsOf({ ...withEntry([], {}), fields })).toEqual([
      "error value-missing project site#/fields/a",
    ]);
  });

  it("P2: a required field of a block in a block has no value", () => {
    expect(problemsOf(withEntry([BLOCK], { a: outer(quote({})) }, BLOCKS))).toEqual([
      "error value-missing entry home#/a/data/inner/data/a",
    ]);
  });
});

describe("P2: value-type", () => {
  it("P2: a value has the wrong shape; a required one is not missing as well", () => {
    expect(problemsOf(withEntry([{ ...TEXT, required: true }], { a: 1 }))).toEqual([
      "error value-type entry home#/a",
    ]);
  });

  it("P2: an element has the wrong shape, or a repeatable value is not a list", () => {
    expect(problemsOf(withEntry([LIST], { a: ["x", null, "y", {}] }))).toEqual([
      "error value-type entry home#/a/1",
      "error value-type entry home#/a/3",
    ]);
    expect(problemsOf(withEntry([LIST], { a: "x" }))).toEqual(["error value-type entry home#/a"]);
  });
});

describe("P2: value-constraint", () => {
  it("P2: a value or an element breaks a constraint", () => {
    const fields = [
      { key: "a", type: "text", maxLength: 1 },
      { key: "b", type: "integer", repeatable: true, minimum: 1 },
    ];
    expect(problemsOf(withEntry(fields, { a: "xy", b: [1, 0] }))).toEqual([
      "error value-constraint entry home#/a",
      "error value-constraint entry home#/b/1",
    ]);
  });

  it("P2: a list has too few or too many items", () => {
    const constraint = ["error value-constraint entry home#/a"];
    expect(problemsOf(withEntry([{ ...LIST, minItems: 1 }], { a: [] }))).toEqual(constraint);
    // Without a value it is served as [], which has too few items as well (S4).
    expect(problemsOf(withEntry([{ ...LIST, minItems: 1 }], {}))).toEqual(constraint);
    expect(problemsOf(withEntry([{ ...LIST, maxItems: 1 }], { a: ["x", "y"] }))).toEqual(
      constraint,
    );
    const fields = [{ ...LIST, minItems: 1, maxItems: 2 }];
    expect(problemsOf(withEntry(fields, { a: ["x"] }))).toEqual([]);
    expect(problemsOf(withEntry(fields, { a: ["x", "y"] }))).toEqual([]);
  });
});

describe("P2: block-not-accepted", () => {
  it("P2: a block is of another category than the field's, or of none", () => {
    const fields = [{ ...BLOCK, category: "top", repeatable: true }];
    const wide = { ...QUOTE, id: "b-wide", key: "wide", category: "wide" };
    const top = { ...QUOTE, id: "b-top", key: "top", category: "top" };
    const stored = ["b-quote", "b-top", "b-wide"].map((contentBlockId) => ({
      ...{ contentBlockId, data: { a: "x" } },
    }));
    expect(problemsOf(withEntry(fields, { a: stored }, { blocks: [QUOTE, top, wide] }))).toEqual([
      "error block-not-accepted entry home#/a/0",
      "error block-not-accepted entry home#/a/2",
    ]);
  });

  it("P2: a field without category accepts every block", () => {
    expect(problemsOf(withEntry([BLOCK], { a: outer(quote({ a: "x" })) }, BLOCKS))).toEqual([]);
  });
});

describe("P2: reference-model-not-accepted", () => {
  it("P2: a target has another model than those that the field names", () => {
    const fields = [{ key: "a", type: "reference", models: ["subject"], repeatable: true }];
    const stored = { a: [{ contentEntryId: "home" }, { contentEntryId: "shop-1" }] };
    expect(problemsOf(withEntry(fields, stored, SHOP))).toEqual([
      "error reference-model-not-accepted entry home#/a/1",
    ]);
  });

  it("P2: a field that names no model accepts every one", () => {
    const stored = { a: { contentEntryId: "shop-1" } };
    expect(problemsOf(withEntry([{ key: "a", type: "reference" }], stored, SHOP))).toEqual([]);
  });
});
