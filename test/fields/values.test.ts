import { describe, expect, it } from "vitest";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { contentOn, dataOn, withEntry } from "../support/documents/served-data.ts";
import { documentOn, SURFACES, TestBed } from "../support/test-bed.ts";

const SCHEMA = { kind: "schema", projectId: "site" } as const;

/** A field of every type under the type's name; `options` is what `select` requires. */
const ONE_OF_EACH = [...FIELD_TYPES.keys()].map((type) => ({
  key: type,
  type,
  ...(type === "select" && { options: ["a"] }),
}));

describe.each(SURFACES)("on the %s surface", (surface) => {
  it("V1: only fields of the current model are served; data under other names is left out", () => {
    const stored = { title: "Hi", subtitle: "of a field that is gone", Title: "other case" };
    expect(dataOn(surface, [{ key: "title", type: "text" }], stored)).toEqual({ title: "Hi" });
  });

  it("V2: without a value, a single field of any type is absent", () => {
    const nulls = Object.fromEntries(ONE_OF_EACH.map(({ key }) => [key, null]));
    expect(dataOn(surface, ONE_OF_EACH, {})).toEqual({});
    expect(dataOn(surface, ONE_OF_EACH, nulls)).toEqual({});
  });

  it("V2: without a value, a repeatable field of any type is served as []", () => {
    const fields = ONE_OF_EACH.map((field) => ({ ...field, repeatable: true }));
    const nulls = Object.fromEntries(ONE_OF_EACH.map(({ key }) => [key, null]));
    const empty = Object.fromEntries(ONE_OF_EACH.map(({ key }) => [key, []]));
    expect(dataOn(surface, fields, {})).toEqual(empty);
    expect(dataOn(surface, fields, nulls)).toEqual(empty);
    expect(dataOn(surface, fields, empty)).toEqual(empty);
  });

  it("V2: false, 0 and the empty string are values", () => {
    const fields = [
      { key: "flag", type: "boolean" },
      { key: "count", type: "integer" },
      { key: "text", type: "text" },
    ];
    const stored = { flag: false, count: 0, text: "" };
    expect(dataOn(surface, fields, stored)).toEqual(stored);
    const lists = { flag: [false], count: [0, 0], text: ["", ""] };
    const repeatable = fields.map((field) => ({ ...field, repeatable: true }));
    expect(dataOn(surface, repeatable, lists)).toEqual(lists);
  });

  it("V8: json values are opaque: nothing inside is resolved or lost", () => {
    const json: JsonObject = JSON.parse(
      `{ "__proto__": { "constructor": 1 }, "toJSON": "x", "10": 1, "9": null, "": [[]],
         "contentEntryId": "home", "assetId": "home", "contentBlockId": "home", "data": {},
         "deep": [{ "__proto__": [] }], "text": "\\u0000\\u2028\\ud800", "number": 1e-7 }`,
    );
    const { value, list } = dataOn(
      surface,
      [
        { key: "value", type: "json" },
        { key: "list", type: "json", repeatable: true },
      ],
      { value: json, list: [json, [], "x", false] },
    );
    expect(Object.keys(value).sort()).toEqual(Object.keys(json).sort());
    expect(Object.getOwnPropertyDescriptor(value, "__proto__")?.value).toEqual({ constructor: 1 });
    expect(Object.hasOwn(value.deep[0], "__proto__")).toBe(true);
    expect({ ...value, deep: 0 }).toEqual({ ...json, deep: 0 });
    expect(list).toEqual([value, [], "x", false]);
  });
});

it.each(SURFACES)(
  "V12: on the %s surface, only a schema tells that a text is Markdown",
  (surface) => {
    const fields = (more: object) => [{ key: "a", type: "text", ...more }];
    const on = (more: object) => {
      const bed = new TestBed(withEntry(fields(more), { a: "# A" }));
      const { a } = documentOn(bed, surface, SCHEMA).$defs.contentModels.subject.properties;
      return { value: contentOn(bed, surface).content[0].data.a, schema: a };
    };
    expect(on({ format: "markdown" })).toEqual({
      value: "# A",
      schema: { type: "string", contentMediaType: "text/markdown" },
    });
    expect(on({})).toEqual({ value: "# A", schema: { type: "string" } });
  },
);
