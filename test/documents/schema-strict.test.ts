import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Block, Feature, Model } from "../../src/workspace/records.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";

const SCHEMA = { kind: "schema", projectId: "p" } as const;
const PROJECT = { id: "p", name: "P", steps: [], experiences: [] };

/** Keys by I2, and by I3 for a model or block, that objects or validators know otherwise. */
const AWKWARD = ["constructor", "id", "toString", "valueOf", "hasOwnProperty", "nullable", "self"];
/** Field keys may be keywords of JSON Schema too. */
const AWKWARD_FIELDS = [...AWKWARD, "type", "required", "properties", "not", "enum", "title"];

const TYPES: readonly Omit<FieldDefinition, "key">[] = [
  ...["text", "number", "integer", "boolean", "date", "date-time", "url", "email", "json"],
  ...["asset", "html-asset", "content-block", "reference"],
].map((type) => ({ type }));

const model = (key: string, fields: readonly FieldDefinition[]): Model => ({
  id: `m-${key}`,
  key,
  name: key,
  fields,
});

describe.each(SURFACES)("on the %s surface", (surface) => {
  const schemaOf = (parts: Parts) => {
    const bed = new TestBed({ projects: [PROJECT], ...parts });
    return new CompiledSchema(documentOn(bed, surface, SCHEMA));
  };

  it("S1: every field type compiles, single, repeatable and required, also with its options", () => {
    const options = [
      { type: "text", minLength: 1, maxLength: 9, pattern: "^\\p{Lu}" },
      { type: "select", options: ["a", ""] },
      { type: "number", minimum: 0.5, maximum: 1 },
      { type: "integer", minimum: 0, maximum: 1 },
      { type: "content-block", category: "none" },
      { type: "reference", models: ["none"] },
    ];
    const fields = [...TYPES, ...options].flatMap((field, index) => [
      { key: `single${index}`, name: "Named", ...field },
      { key: `required${index}`, ...field, required: true },
      { key: `list${index}`, ...field, repeatable: true, minItems: 1, maxItems: 2 },
    ]);
    const parts = { models: [model("m", fields)], blocks: [model("b", fields)], fields };
    const schema = schemaOf(parts);
    for (const name of ["contentModels/m", "contentBlocks/b", "fields"]) {
      expect(schema.definition(name)).toBeTypeOf("function");
    }
  });

  it("S1: models, blocks, steps, experiences and features may have awkward keys", () => {
    const fields = [{ key: "n", type: "integer", required: true }];
    const keyed = AWKWARD.map((key) => ({ id: key, key, name: key }));
    const steps = keyed.map((step) => ({ ...step, layoutName: "", layoutContentId: step.id }));
    const document = documentOn(
      new TestBed({
        models: AWKWARD.map((key) => model(key, fields)),
        blocks: AWKWARD.map((key) => model(key, fields)),
        features: keyed.map((one): Feature => ({ ...one, type: "text", variants: keyed })),
        entries: AWKWARD.map((key) => ({ id: key, modelId: `m-${key}`, data: { n: 1 } })),
        projects: [
          { ...PROJECT, steps, experiences: keyed.map((one) => ({ ...one, stepIds: [] })) },
        ],
      }),
      surface,
      SCHEMA,
    );
    const schema = new CompiledSchema(document);
    for (const key of AWKWARD) {
      expect(schema.faults(`contentModels/${key}`, { n: 1 })).toEqual([]);
      expect(schema.faults(`contentModels/${key}`, {})).not.toEqual([]);
      const served = { contentBlockId: `m-${key}`, contentBlockKey: key, data: { n: 1 } };
      expect(schema.faults(`contentBlocks/${key}`, served)).toEqual([]);
      for (const keys of ["stepKeys", "experienceKeys", "featureKeys"]) {
        expect(schema.faults(keys, key)).toEqual([]);
      }
      expect(Object.entries(document["x-svc-step-content-models"])).toContainEqual([key, key]);
      expect(Object.entries(document["x-svc-feature-values"])).toContainEqual([
        key,
        AWKWARD.toSorted(),
      ]);
    }
  });

  it.each(AWKWARD_FIELDS)("S1, I3: %s is an ordinary field key", (key) => {
    const optional = [{ key, type: "integer" }];
    const required = [{ key, type: "integer", required: true }];
    const models = [model("loose", optional), model("exact", required)];
    const schema = schemaOf({ models, fields: required });
    expect(schema.faults("contentModels/loose", {})).toEqual([]);
    expect(schema.faults("contentModels/loose", { [key]: "text" })).not.toEqual([]);
    for (const definition of ["contentModels/exact", "fields"]) {
      expect(schema.faults(definition, { [key]: 1 })).toEqual([]);
      expect(schema.faults(definition, {})).not.toEqual([]);
    }
  });

  it("S1: blocks may contain themselves and each other", () => {
    const rows = { key: "rows", type: "content-block", repeatable: true };
    const inner = { key: "inner", type: "content-block", category: "box" };
    const count = { key: "count", type: "integer" };
    const box: Block = { ...model("box", [rows, inner, count]), category: "box" };
    const row = model("row", [inner, count]);
    const schema = schemaOf({ models: [model("page", [rows])], blocks: [box, row] });
    const served = (key: string, data: JsonObject) => ({
      contentBlockId: `m-${key}`,
      contentBlockKey: key,
      data,
    });
    const nested = (innermost: JsonObject) =>
      Array.from({ length: 20 }).reduce<JsonObject>(
        (data) => ({ rows: [served("row", { inner: served("box", data) })] }),
        innermost,
      );
    expect(schema.faults("contentModels/page", nested({ rows: [] }))).toEqual([]);
    const faults = schema.faults("contentModels/page", nested({ rows: [{}] }));
    expect(faults).not.toEqual([]);
  });
});

it("S4, V2: a list without value is served as [], so minItems 1 is broken as by a stored []", () => {
  const models = [model("m", [{ key: "tags", type: "text", repeatable: true, minItems: 1 }])];
  const bed = new TestBed();
  for (const data of [{ tags: [] }, { tags: null }, {}]) {
    bed.import({ models, projects: [PROJECT], entries: [{ id: "e", modelId: "m-m", data }] });
    expect(bed.check().map(({ code }) => code)).toEqual(["value-constraint"]);
    expect(() => bed.publish()).toThrow(expect.objectContaining({ code: "draft-has-problems" }));
  }
});

it("S3, S4: the schema promises no minItems of content-blocks, since blocks can be deleted", () => {
  const fields = [{ key: "rows", type: "content-block", repeatable: true, minItems: 1 }];
  const gone = { contentBlockId: "deleted", data: {} };
  const entries = [{ id: "e", modelId: "m-m", data: { rows: [gone] } }];
  const bed = new TestBed({ models: [model("m", fields)], projects: [PROJECT], entries });
  bed.publish();
  expect(new CompiledSchema(bed.file(SCHEMA)).faults("contentModels/m", { rows: [] })).toEqual([]);
});
