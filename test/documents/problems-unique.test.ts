import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/workspace/json.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { summaries } from "../support/documents/served-data.ts";
import { published } from "../support/publish/publishing.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const SLUG = { key: "slug", type: "text", unique: true };
const NUMBER = { key: "number", type: "number", unique: true };

const model = (id: string, fields: readonly object[] = [SLUG, NUMBER]) =>
  ({ id, key: id, name: id, fields }) as unknown as NonNullable<Parts["models"]>[number];

const entry = (id: string, data: Entry["data"], modelId = "page"): Entry => ({ id, modelId, data });

/** No experience shows the entries. */
const site = (entries: readonly Entry[], more: Parts = {}): Parts => ({
  models: [model("page")],
  projects: [projectOf("site")],
  entries,
  ...more,
});

const problemsOf = (...workspaces: readonly Parts[]) => new TestBed(...workspaces).check("w");
const duplicates = (...values: readonly JsonValue[]) =>
  problemsOf(site(values.map((slug, at) => entry(`e${at}`, { slug })))).filter(
    ({ code }) => code === "value-duplicate",
  );

describe("V10, P2: value-duplicate", () => {
  it("V10: every entry but the first by id has it, and it names the first", () => {
    const entries = ["c", "a", "b", "Z"].map((id) => entry(id, { slug: "x", number: id.length }));
    const [first, ...others] = problemsOf(site(entries));
    expect(first).toEqual({
      level: "error",
      code: "value-duplicate",
      at: { kind: "entry", id: "a", path: "/number" },
      args: { field: "number", other: "Z" },
    });
    expect(summaries(others)).toEqual(
      ["a#/slug", "b#/number", "b#/slug", "c#/number", "c#/slug"].map(
        (place) => `error value-duplicate entry ${place}`,
      ),
    );
    expect(others.map(({ args }) => args)).toEqual(
      ["slug", "number", "slug", "number", "slug"].map((field) => ({ field, other: "Z" })),
    );
  });

  it.each<[string, readonly JsonValue[], number]>([
    ["letter case counts", ["a", "A"], 0],
    ["white space counts", ["a", "a "], 0],
    ["two ways to write one character differ", ["\u00e9", "e\u0301"], 0],
    ["an empty text is a value", ["", ""], 1],
    ["null and a missing value are none", [null, null], 0],
    ["a value of the wrong shape is none", [7, 7], 0],
    ["lone surrogates differ", ["\ud800", "\ud801"], 0],
    ["two pairs", ["a", "b", "a", "b"], 2],
  ])("V10a: values are compared exactly: %s", (_what, values, count) => {
    expect(duplicates(...values)).toHaveLength(count);
  });

  it("V10a: numbers are compared by value", () => {
    const values = [JSON.parse("1"), JSON.parse("1.0"), JSON.parse("-0"), 0, 1e21];
    const entries = values.map((number, at) => entry(`e${at}`, { number }));
    expect(problemsOf(site(entries)).map(({ at }) => at.id)).toEqual(["e1", "e3"]);
  });

  it("V10a: other fields, other models and other workspaces do not count", () => {
    const models = [
      model("page", [SLUG, { ...SLUG, key: "path" }, { key: "title", type: "text" }]),
      model("post"),
    ];
    const entries = [
      entry("a", { slug: "x", title: "t" }),
      entry("b", { path: "x", title: "t" }),
      entry("c", { slug: "x" }, "post"),
      entry("d", { slug: "x" }, "gone"),
      entry("e", { slug: "x" }, "gone"),
    ];
    const others = { ...site([entry("z", { slug: "x" })]), id: "v", projects: [] };
    const found = problemsOf(site(entries, { models }), others);
    expect(found.filter(({ code }) => code === "value-duplicate")).toEqual([]);
  });

  it("V10, R4: it refuses a publish, and changes no document", () => {
    const shown = (fields: readonly object[]) =>
      new TestBed(
        site([entry("a", { slug: "x" }), entry("b", { slug: "y" })], {
          models: [model("page", fields)],
          projects: [projectOf("site", "a", "b")],
        }),
      );
    const plain = { key: "slug", type: "text" };
    expect(shown([SLUG]).publish().versionId).toBe(shown([plain]).publish().versionId);
    const bed = new TestBed(site([entry("a", { slug: "x" }), entry("b", { slug: "x" })]));
    expect(published(bed)).toMatchObject({ code: "draft-has-problems" });
  });
});
