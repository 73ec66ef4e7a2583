import { describe, expect, it } from "vitest";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { contentOn, dataOn, withEntry } from "../support/documents/served-data.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
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

  it("V3a: a stored value of the wrong shape is never served", () => {
    const fields = [
      { key: "single", type: "integer" },
      { key: "list", type: "text", repeatable: true },
      { key: "noList", type: "text", repeatable: true },
    ];
    const stored = { single: 1.5, list: ["a", 1, null, ["b"], "c"], noList: "a" };
    expect(dataOn(surface, fields, stored)).toEqual({ list: ["a", "c"], noList: [] });
  });

  it("V3b: formats and lengths are constraints, not shapes; a value that breaks them is served", () => {
    const fields = [
      { key: "day", type: "date" },
      { key: "name", type: "text", maxLength: 1 },
      { key: "names", type: "text", repeatable: true, minItems: 2, pattern: "^b" },
    ];
    const stored = { day: "tomorrow", name: "Anna", names: ["a"] };
    expect(dataOn(surface, fields, stored)).toEqual(stored);
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

  it("V9: an entry whose model no longer exists is served with a null key and no data", () => {
    const fields = [{ key: "link", type: "reference" }];
    const entries = [
      { id: "lost", modelId: "gone", data: { text: "x", link: { contentEntryId: "more" } } },
      { id: "more", modelId: "subject", data: {} },
    ];
    const bed = new TestBed(withEntry(fields, { link: { contentEntryId: "lost" } }, { entries }));
    const { content, references } = contentOn(bed, surface);
    expect(content[0].data).toEqual({ link: { contentEntryId: "lost" } });
    expect(references).toEqual([{ id: "lost", contentModelKey: null, data: {} }]);
  });

  it("I3: `constructor`, `toString`, `type`, `required` and `id` are ordinary field keys", () => {
    const keys = "constructor toString type required id hasOwnProperty properties".split(" ");
    const fields = keys.map((key) => ({ key, type: "text" }));
    const required = [{ key: "valueOf", type: "text", required: true }];
    const stored = Object.fromEntries(keys.map((key) => [key, `the ${key}`]));
    const bed = new TestBed(withEntry([...fields, ...required], { ...stored, valueOf: "v" }));
    const { content } = contentOn(bed, surface);
    expect(content[0].data).toEqual({ ...stored, valueOf: "v" });
    const schema = new CompiledSchema(documentOn(bed, surface, SCHEMA));
    expect(schema.faults("contentModels/subject", content[0].data)).toEqual([]);
    expect(schema.faults("contentModels/subject", { valueOf: "v" })).toEqual([]);
    expect(schema.faults("contentModels/subject", stored)).toHaveLength(1);
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
