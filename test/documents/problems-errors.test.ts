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

describe("P2: value-constraint", () => {
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
