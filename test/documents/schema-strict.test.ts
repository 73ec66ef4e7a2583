import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { Feature, Model } from "../../src/workspace/records.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { documentOn, SURFACES, TestBed } from "../support/test-bed.ts";

const SCHEMA = { kind: "schema", projectId: "p" } as const;
const PROJECT = { id: "p", name: "P", steps: [], experiences: [] };

/** Keys that are valid by I2, and by I3 for models and blocks, but special in objects or validators. */
const AWKWARD = [
  "id",
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "Title",
  "nullable",
  "self",
  "contentModels",
  "contentBlocks",
  "fields",
  "defs",
  "ref",
  "x-svc-source",
  "discriminator",
];
const model = (key: string, fields: readonly FieldDefinition[]): Model => ({
  id: `m-${key}`,
  key,
  name: key,
  fields,
});

describe.each(SURFACES)("on the %s surface", (surface) => {
  it("S1, I3: models, blocks, steps, experiences and features may have awkward keys", () => {
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
});

it("S3, S4: the schema promises no minItems of content-blocks, since blocks can be deleted", () => {
  const fields = [{ key: "rows", type: "content-block", repeatable: true, minItems: 1 }];
  const gone = { contentBlockId: "deleted", data: {} };
  const entries = [{ id: "e", modelId: "m-m", data: { rows: [gone] } }];
  const bed = new TestBed({ models: [model("m", fields)], projects: [PROJECT], entries });
  bed.publish();
  expect(new CompiledSchema(bed.file(SCHEMA)).faults("contentModels/m", { rows: [] })).toEqual([]);
});
