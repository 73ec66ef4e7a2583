import { describe, expect, it } from "vitest";
import type { Feature, Project } from "../../src/workspace/records.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";

const SCHEMA = { kind: "schema", projectId: "p" } as const;

/** Steps by key, each with the entry that it shows, or null; experiences by key. */
function project(
  id: string,
  steps: Record<string, string | null> = {},
  experiences: readonly string[] = [],
): Project {
  return {
    id,
    name: id,
    steps: Object.entries(steps).map(([key, layoutContentId]) => ({
      id: `id-${key}`,
      key,
      name: key,
      layoutName: "Plain",
      ...(layoutContentId !== null && { layoutContentId }),
    })),
    experiences: experiences.map((key) => ({ id: `id-${key}`, key, name: key, stepIds: [] })),
  };
}

const PAGE = { id: "m-page", key: "page", name: "Page", fields: [{ key: "title", type: "text" }] };
const NOTE = { id: "b-note", key: "note", name: "Note", fields: [{ key: "text", type: "text" }] };
const flag = (key: string, type: Feature["type"]): Feature => ({ id: key, key, name: key, type });

const WORKSPACE: Parts = {
  fields: [{ key: "slogan", type: "text" }],
  models: [PAGE],
  blocks: [NOTE],
  features: [flag("beta", "boolean"), flag("layout", "text"), flag("Alpha", "boolean")],
  entries: [
    { id: "home", modelId: "m-page", data: {} },
    { id: "old", modelId: "m-deleted", data: {} },
  ],
  projects: [
    project("p", { b: "home", B: "old", a: "deleted", c: null, d: "home" }, ["z", "Y"]),
    project("q", { other: "home" }, ["theirs"]),
  ],
};

describe.each(SURFACES)("on the %s surface", (surface) => {
  const schemaOf = (parts: Parts) => documentOn(new TestBed(parts), surface, SCHEMA);

  it("S1: the document has exactly the members that the specification lists", () => {
    expect(Object.keys(schemaOf(WORKSPACE)).sort()).toEqual([
      "$defs",
      "$id",
      "$schema",
      "x-svc-feature-values",
      "x-svc-schema-version",
      "x-svc-source",
      "x-svc-step-content-models",
      "x-svc-version-id",
    ]);
    expect(Object.keys(schemaOf(WORKSPACE).$defs).sort()).toEqual([
      "contentBlocks",
      "contentModels",
      "experienceKeys",
      "featureKeys",
      "fields",
      "stepKeys",
    ]);
  });

  it("service.md: it names its dialect, its id, its version and its surface", () => {
    expect(schemaOf(WORKSPACE)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "svc:project/p/schema",
      "x-svc-schema-version": 1,
      "x-svc-source": surface,
    });
  });

  it("S7: a step with an existing entry whose model exists has that model's key", () => {
    expect(schemaOf(WORKSPACE)["x-svc-step-content-models"]).toEqual({ b: "page", d: "page" });
  });

  it("S6: featureKeys, experienceKeys and stepKeys are enumerated, sorted by code unit", () => {
    const { featureKeys, experienceKeys, stepKeys } = schemaOf(WORKSPACE).$defs;
    expect(featureKeys).toEqual({ type: "string", enum: ["Alpha", "beta", "layout"] });
    expect(experienceKeys).toEqual({ type: "string", enum: ["Y", "z"] });
    expect(stepKeys).toEqual({ type: "string", enum: ["B", "a", "b", "c", "d"] });
  });

  it("S6: without keys there is no enumeration, and no key is valid", () => {
    const document = schemaOf({ projects: [project("p")] });
    const schema = new CompiledSchema(document);
    for (const name of ["featureKeys", "experienceKeys", "stepKeys"]) {
      expect(document.$defs[name]).toEqual({ type: "string", not: {} });
      expect(schema.faults(name, "any")).not.toEqual([]);
    }
  });

  it("S1: the schema of an empty workspace compiles", () => {
    const document = schemaOf({ projects: [project("p")] });
    expect(document.$defs).toMatchObject({ contentModels: {}, contentBlocks: {} });
    expect(document["x-svc-step-content-models"]).toEqual({});
    const schema = new CompiledSchema(document);
    expect(schema.faults("fields", {})).toEqual([]);
    expect(schema.faults("fields", { any: 1 })).not.toEqual([]);
  });
});

it("S12: keys of collections have their patterns, each once and sorted, with models and ids", () => {
  const collections = [
    { model: "page", id: "page-{title}", key: "p-{id}-{title}", stepKey: "s-{id}", layoutName: "" },
    {
      model: "page",
      id: "a.{id}",
      key: "a-{id}",
      list: { id: "all-{page}", key: "n{page}", size: 2 },
      layoutName: "",
    },
    { model: "page", id: "page-{id}", key: "p-{title}-{id}", stepKey: "s-{title}", layoutName: "" },
    { model: "gone", id: "gone-{id}", layoutName: "" },
    { by: "page.title", id: "t-{value}-{page}", size: 1 },
  ];
  const projects = [{ ...project("p"), collections }];
  const { $defs } = documentOn(new TestBed({ models: [PAGE], projects }), "published", SCHEMA);
  expect($defs.experienceKeys["x-svc-patterns"]).toEqual([
    { id: "a.*", key: "a-*" },
    { id: "all-{page}", key: "n{page}" },
    { id: "page-*", key: "p-*-*" },
    { id: "t-*-{page}", key: "t-*-{page}" },
  ]);
  expect($defs.stepKeys["x-svc-patterns"]).toEqual([
    { contentModelKey: "page", key: "a-*" },
    { contentModelKey: "page", key: "s-*" },
  ]);
  new CompiledSchema(documentOn(new TestBed({ models: [PAGE], projects }), "published", SCHEMA));
});
