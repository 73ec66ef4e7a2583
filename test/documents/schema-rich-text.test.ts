import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/workspace/json.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const ALL = { key: "all", type: "rich-text" };
const NAMED = {
  key: "named",
  type: "rich-text",
  repeatable: true,
  models: ["page"],
  blocks: ["hero"],
  nodeTypes: ["doc", "p"],
  marks: ["bold"],
};
const NONE = { key: "none", type: "rich-text", models: [], blocks: [], marks: [] };
const FIELDS = [ALL, NAMED, NONE];

const PARTS: Parts = {
  fields: FIELDS,
  models: [
    { id: "m-page", key: "page", name: "Page", fields: FIELDS },
    { id: "m-note", key: "note", name: "Note", fields: [] },
  ],
  blocks: [
    { id: "b-hero", key: "hero", name: "Hero", fields: FIELDS },
    { id: "b-map", key: "map", name: "Map", fields: [] },
  ],
  projects: [projectOf("site", "home")],
};

const page = { contentEntryId: "a", contentModelKey: "page" };
const note = { contentEntryId: "a", contentModelKey: "note" };
const hero = { contentBlockId: "b-hero", contentBlockKey: "hero", data: { named: [] } };
const map = { contentBlockId: "b-map", contentBlockKey: "map", data: {} };
const doc = (...content: JsonValue[]) => ({ type: "doc", content });

const PLACES = ["fields", "contentModels/page", "contentBlocks/hero/properties/data"];

/** Whether a value of a field is valid, the same at every place. */
function validity(surface: (typeof SURFACES)[number]) {
  const schema = new CompiledSchema(schemaOf(surface, PARTS));
  return (key: string, value: JsonValue): boolean => {
    const [first = false, ...others] = PLACES.map(
      (place) => schema.faults(`${place}/properties/${key}`, value).length === 0,
    );
    expect(others).toEqual(others.map(() => first));
    return first;
  };
}

function schemaOf(surface: (typeof SURFACES)[number], parts: Parts) {
  return documentOn(new TestBed(parts), surface, { kind: "schema", projectId: "site" });
}

describe.each(SURFACES)("on the %s surface", (surface) => {
  it("S10: a pointer in a tree is one that the field accepts, at any depth", () => {
    const accepts = validity(surface);
    const deep = (value: JsonValue): JsonValue => ({ a: [{ b: { c: doc(doc({ d: value })) } }] });
    for (const wrap of [doc, deep]) {
      for (const one of [page, note, hero, map]) expect(accepts("all", wrap(one))).toBe(true);
      expect([page, hero].map((one) => accepts("named", [wrapped(wrap, one)]))).toEqual([
        true,
        true,
      ]);
      expect([note, map].map((one) => accepts("named", [wrapped(wrap, one)]))).toEqual([
        false,
        false,
      ]);
      for (const one of [page, hero, map]) expect(accepts("none", wrap(one))).toBe(false);
      for (const field of ["all", "none"]) {
        expect(accepts(field, wrap({ contentEntryId: "gone" }))).toBe(true);
        expect(accepts(field, wrap({ id: "gone", versionId: "v" }))).toBe(true);
      }
    }
    const broken = { ...hero, data: { named: 1 } };
    expect(accepts("all", doc(broken))).toBe(false);
  });

  it("S10: names of nodes, and of marks that are objects; other objects have none", () => {
    const accepts = validity(surface);
    const named = (...content: JsonValue[]) => accepts("named", [doc(...content)]);
    expect(named({ _type: "p" }, { nodeType: "doc" }, "text", [{ type: "odd" }])).toBe(true);
    expect(named({ type: "p", attrs: { type: "odd" } })).toBe(true);
    expect([named({ type: "odd" }), named({}), named(doc({ type: "odd" }))]).toEqual([
      false,
      false,
      false,
    ]);
    expect(named({ type: "p", marks: [{ type: "bold" }, "k"] })).toBe(true);
    expect(named({ type: "p", marks: [{ type: "odd" }] })).toBe(false);
    expect(accepts("none", doc({ type: "odd", marks: ["bold"] }))).toBe(true);
    expect(accepts("none", doc({ type: "odd", marks: [{ type: "bold" }] }))).toBe(false);
  });

  it("S10: a tree is an object or a list", () => {
    const accepts = validity(surface);
    for (const value of ["text", 1, null, true]) expect(accepts("all", value)).toBe(false);
    for (const value of [{}, [], [null, "a"]]) expect(accepts("all", value)).toBe(true);
  });
});

/** In a tree whose nodes all have accepted names. */
function wrapped(wrap: (value: JsonValue) => JsonValue, value: JsonValue): JsonValue {
  return { type: "doc", data: wrap(value) };
}
