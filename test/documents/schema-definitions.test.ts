import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";

const SCHEMA = { kind: "schema", projectId: "p" } as const;

type Definitions = Record<string, readonly FieldDefinition[]>;

const reference = (key: string, models?: readonly string[]) => ({
  key,
  type: "reference",
  ...(models && { models }),
});
const block = (key: string, category?: string) => ({
  key,
  type: "content-block",
  ...(category && { category }),
});

/** Models and blocks by key. A block whose key starts with `wide` is of the category `wide`. */
function workspace(models: Definitions, blocks: Definitions = {}, more: Parts = {}): Parts {
  return {
    models: Object.entries(models).map(([key, fields]) => ({
      id: `m-${key}`,
      key,
      name: key,
      fields,
    })),
    blocks: Object.entries(blocks).map(([key, fields]) => ({
      id: `b-${key}`,
      key,
      name: key,
      fields,
      ...(key.startsWith("wide") && { category: "wide" }),
    })),
    projects: [{ id: "p", name: "P", steps: [], experiences: [] }],
    ...more,
  };
}

describe.each(SURFACES)("on the %s surface", (surface) => {
  const documentOf = (parts: Parts) => documentOn(new TestBed(parts), surface, SCHEMA);
  const schemaOf = (...parts: Parameters<typeof workspace>) =>
    new CompiledSchema(documentOf(workspace(...parts)));

  it("S2: models and blocks are object schemas that accept no further members", () => {
    const text = [{ key: "t", type: "text" }];
    const { contentModels, contentBlocks } = documentOf(workspace({ m: text }, { b: text })).$defs;
    expect(contentModels.m).toMatchObject({ type: "object", additionalProperties: false });
    expect(contentBlocks.b).toMatchObject({ type: "object", additionalProperties: false });
    const schema = schemaOf({ m: text }, { b: text });
    expect(schema.faults("contentModels/m", { t: "T" })).toEqual([]);
    expect(schema.faults("contentModels/m", { t: "T", more: 1 })).not.toEqual([]);
    const served = { contentBlockId: "b-b", contentBlockKey: "b", data: {} };
    expect(schema.faults("contentBlocks/b", served)).toEqual([]);
    expect(schema.faults("contentBlocks/b", { ...served, more: 1 })).not.toEqual([]);
    expect(schema.faults("contentBlocks/b", { ...served, data: { more: 1 } })).not.toEqual([]);
  });

  it("service.md: a block has contentBlockId, contentBlockKey, a const, and data", () => {
    const definition = documentOf(workspace({}, { note: [] })).$defs.contentBlocks.note;
    expect(definition.properties.contentBlockKey).toEqual({ const: "note" });
    expect(definition.required).toEqual(["contentBlockId", "contentBlockKey", "data"]);
  });

  it("S3: required lists required and repeatable fields, never a single content-block, sorted", () => {
    const fields = [
      { key: "z", type: "text", required: true },
      { key: "optional", type: "text" },
      { key: "list", type: "text", repeatable: true },
      { ...block("hero"), required: true },
      { ...block("body"), repeatable: true },
      { key: "B", type: "asset", required: true },
      { ...reference("a"), required: true },
    ];
    const required = ["B", "a", "body", "list", "z"];
    const { $defs } = documentOf(workspace({ m: fields }, { b: fields }, { fields }));
    expect($defs.contentModels.m.required).toEqual(required);
    expect($defs.contentBlocks.b.properties.data.required).toEqual(required);
    expect($defs.fields.required).toEqual(required);
  });

  it("S5: a reference is a pointer, its contentModelKey limited to the accepted models", () => {
    const schema = schemaOf({ m: [reference("to", ["a", "gone"])], a: [], b: [] });
    const faults = (to: object) => schema.faults("contentModels/m", { to });
    expect(faults({ contentEntryId: "e", contentModelKey: "a" })).toEqual([]);
    expect(faults({ contentEntryId: "e" })).toEqual([]);
    expect(faults({ contentEntryId: "e", contentModelKey: "b" })).not.toEqual([]);
    expect(faults({ contentEntryId: "e", contentModelKey: "gone" })).not.toEqual([]);
    expect(faults({ contentModelKey: "a" })).not.toEqual([]);
    expect(faults({ contentEntryId: "e", contentModelKey: "a", more: 1 })).not.toEqual([]);
  });

  it("S5: a reference to any model accepts each model of the workspace, and no other key", () => {
    const schema = schemaOf({ m: [reference("to")], a: [] });
    const faults = (contentModelKey: string) =>
      schema.faults("contentModels/m", { to: { contentEntryId: "e", contentModelKey } });
    expect([faults("m"), faults("a")]).toEqual([[], []]);
    expect(faults("b")).not.toEqual([]);
  });

  it("S5: a pointer's optional data is typed by the model that contentModelKey names", () => {
    const fields = [{ key: "n", type: "integer", required: true }];
    const schema = schemaOf({ m: [reference("to")], a: fields, b: [] });
    const faults = (contentModelKey: string, data: object) =>
      schema.faults("contentModels/m", { to: { contentEntryId: "e", contentModelKey, data } });
    expect([faults("a", { n: 1 }), faults("b", {})]).toEqual([[], []]);
    expect(faults("a", {})).not.toEqual([]);
    expect(faults("b", { n: 1 })).not.toEqual([]);
  });

  it("S5: a content-block is one of the accepted blocks, told apart by its key", () => {
    const text = [{ key: "t", type: "text", required: true }];
    const blocks = { wideText: text, wide: [], narrow: [] };
    const schema = schemaOf(
      { m: [block("wide", "wide"), block("any"), block("no", "none")] },
      blocks,
    );
    const served = (key: string, data: object) => ({
      contentBlockId: `b-${key}`,
      contentBlockKey: key,
      data,
    });
    const faults = (data: object) => schema.faults("contentModels/m", data);
    expect(faults({ wide: served("wide", {}) })).toEqual([]);
    expect(faults({ wide: served("wideText", { t: "T" }) })).toEqual([]);
    expect(faults({ wide: served("wideText", {}) })).not.toEqual([]);
    expect(faults({ wide: served("wide", { t: "T" }) })).not.toEqual([]);
    expect(faults({ wide: served("narrow", {}) })).not.toEqual([]);
    expect(faults({ any: served("narrow", {}) })).toEqual([]);
    expect(faults({ any: served("gone", {}) })).not.toEqual([]);
    expect(faults({ no: served("wide", {}) })).not.toEqual([]);
    expect(faults({})).toEqual([]);
  });
});
