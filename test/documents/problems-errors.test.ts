import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/workspace/json.ts";
import { contentOn, dataOn, problemsOf, withEntry } from "../support/documents/served-data.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";

const TEXT = { key: "a", type: "text" };
const LIST = { ...TEXT, repeatable: true };
const BLOCK = { key: "a", type: "content-block" };

const QUOTE = { id: "b-quote", key: "quote", name: "Quote", fields: [{ ...TEXT, required: true }] };
const BLOCKS = { blocks: [QUOTE] };
const to = (contentEntryId: string) => ({ contentEntryId });
const quote = (data: { a?: string }) => ({ contentBlockId: "b-quote", data });

describe("P2: value-missing", () => {
  const missing = ["error value-missing entry home#/a"];

  it("P2: a required field has no value", () => {
    expect(problemsOf(withEntry([{ ...TEXT, required: true }], {}))).toEqual(missing);
    expect(problemsOf(withEntry([{ ...TEXT, required: true }], { a: null }))).toEqual(missing);
    expect(problemsOf(withEntry([{ ...LIST, required: true }], {}))).toEqual(missing);
    expect(problemsOf(withEntry([{ ...BLOCK, required: true }], {}))).toEqual(missing);
  });

  it("P2: an empty list is a value, and a field may be optional", () => {
    const fields = [
      { ...LIST, key: "b", required: true },
      { ...TEXT, key: "c" },
    ];
    expect(problemsOf(withEntry(fields, { b: [], c: "" }))).toEqual([]);
  });

  it("P2: a required text that is empty or blank has no value, though it is served", () => {
    const required = [{ ...TEXT, required: true, minLength: 1, pattern: "^x" }];
    for (const blank of ["", "  ", "\n\t\u00a0"]) {
      expect(problemsOf(withEntry(required, { a: blank }))).toEqual(missing);
      expect(dataOn("preview", required, { a: blank })).toEqual({ a: blank });
    }
    expect(problemsOf(withEntry([{ ...TEXT, required: true }], { a: " x" }))).toEqual([]);
    const inBlock = withEntry([BLOCK], { a: quote({ a: " " }) }, BLOCKS);
    expect(problemsOf(inBlock)).toEqual(["error value-missing entry home#/a/data/a"]);
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
      "error block-deleted entry home#/a",
    ]);
  });
});

describe("P17: references and assets that leave a field without the targets that it needs", () => {
  const ref = (more: object) => ({ key: "a", type: "reference", ...more });
  const other = {
    id: "neighbour",
    models: [],
    entries: [{ id: "theirs", modelId: "m", data: {} }],
  };
  const draft = { id: "draft", modelId: "subject", draft: true, data: {} };
  const there = { id: "there", modelId: "subject", data: {} };
  const found = (field: object, a: JsonValue, entries: Parts["entries"] = []) =>
    problemsOf(other, withEntry([ref(field)], { a }, { entries })).filter((one) =>
      one.includes(" home#"),
    );

  it("P17: deleted, hidden or of another workspace, in a required field", () => {
    expect(found({ required: true }, to("gone"))).toEqual([
      "error reference-deleted entry home#/a",
    ]);
    expect(found({ required: true }, to("theirs"))).toEqual([
      "error reference-other-workspace entry home#/a",
    ]);
    expect(found({ required: true }, to("home"))).toEqual([]);
    expect(found({}, to("gone"))).toEqual(["warning reference-deleted entry home#/a"]);
    const drafts = withEntry([ref({})], { a: to("draft") }, { entries: [draft] });
    expect(problemsOf(drafts)).toEqual(["warning reference-draft entry home#/a"]);
    const models = [
      { id: "subject", key: "subject", name: "S", fields: [ref({ required: true })] },
    ];
    const entries = [
      { ...draft, data: { a: to("home") } },
      { ...there, data: { a: to("draft") } },
    ];
    expect(
      problemsOf({
        models,
        entries: [...entries, { ...there, id: "home", data: { a: to("there") } }],
      }),
    ).toEqual(["error reference-draft entry there#/a"]);
  });

  it("P17: of a list all, or as many that fewer than minItems are left", () => {
    const list = { repeatable: true };
    const places = (level: string, ...indexes: number[]) =>
      indexes.map((index) => `${level} reference-deleted entry home#/a/${index}`);
    const three = [to("home"), to("gone"), to("lost")];
    expect(found({ ...list, required: true }, three)).toEqual(places("warning", 1, 2));
    expect(found({ ...list, required: true }, three.slice(1))).toEqual(places("error", 0, 1));
    expect(found({ ...list, minItems: 1 }, three)).toEqual(places("warning", 1, 2));
    expect(found({ ...list, minItems: 2 }, three)).toEqual(places("error", 1, 2));
    expect(found({ ...list, required: true }, [])).toEqual([]);
  });

  it("P17: an asset that a field needs is missing, or a version of it", () => {
    const { asset, file } = heldAsset("there", "there.html", "Hi", "text/html");
    const parts = { assets: [asset], files: new Map([file]) };
    const [there, gone] = [{ assetId: "there" }, { assetId: "gone" }];
    const version = { ...there, versionId: "v9" };
    for (const [type, code] of [
      ["asset", "asset-missing"],
      ["html-asset", "html-unreadable"],
    ] as const) {
      const check = (more: object, a: JsonValue) =>
        problemsOf(withEntry([{ key: "a", type, ...more }], { a }, parts));
      expect(check({ required: true }, gone)).toEqual([`error ${code} entry home#/a`]);
      expect(check({ required: true }, version)).toEqual([`error ${code} entry home#/a`]);
      expect(check({ required: true }, there)).toEqual([]);
      expect(check({}, gone)).toEqual([`warning ${code} entry home#/a`]);
      const list = { repeatable: true };
      expect(check({ ...list, required: true }, [gone, there])).toEqual([
        `warning ${code} entry home#/a/0`,
      ]);
      expect(check({ ...list, minItems: 2 }, [gone, there])).toEqual([
        `error ${code} entry home#/a/0`,
      ]);
    }
    const text = [{ key: "a", type: "rich-text", required: true }];
    expect(problemsOf(withEntry(text, { a: [gone] }))).toEqual([
      "warning asset-missing entry home#/a/0",
    ]);
  });

  it("P17: it says which field lacks it, is no fault of an entry that is hidden, and can be lowered", () => {
    const bed = new TestBed(withEntry([ref({ required: true })], { a: to("gone") }));
    expect(bed.check()[0]?.args).toEqual({ target: "gone", lacks: { field: "a", least: 1 } });
    expect(() => bed.publish({ severity: {} })).toThrow("the draft has 1 error");
    const severity = { "reference-deleted": "warning" } as const;
    expect(bed.publish({ severity }).problems).toMatchObject([{ level: "warning" }]);
    const published = contentOn(bed, "published").content[0].data;
    expect(published).toEqual({ a: to("gone") });
    const hidden = withEntry(
      [ref({ required: true })],
      { a: to("home") },
      {
        entries: [{ ...draft, data: { a: to("gone") } }],
      },
    );
    expect(problemsOf(hidden)).toEqual(["warning reference-deleted entry draft#/a"]);
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
