import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { compareSchemas } from "../../src/diff/compare-schemas.ts";
import { sharedDefinitions } from "../../src/documents/schema-definitions.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const FIELDS = [
  { key: "any", type: "reference" },
  { key: "some", type: "reference", name: "Some", models: ["note"], repeatable: true },
  { key: "none", type: "reference", models: ["gone"] },
  { key: "image", type: "asset" },
  { key: "block", type: "content-block" },
  { key: "wide", type: "content-block", category: "wide", repeatable: true },
  { key: "text", type: "rich-text", models: ["note"], nodeTypes: ["doc", "p"] },
];

/** The same fields as programs wrote them before they shared definitions (S11). */
const pointers = (...keys: readonly string[]) => ({
  anyOf: [
    ...keys.map((key) => ({
      type: "object",
      properties: {
        contentEntryId: { type: "string" },
        contentModelKey: { const: key },
        data: { $ref: `#/$defs/contentModels/${key}` },
      },
      required: ["contentEntryId", "contentModelKey"],
      additionalProperties: false,
    })),
    {
      type: "object",
      properties: { contentEntryId: { type: "string" } },
      required: ["contentEntryId"],
      additionalProperties: false,
    },
  ],
});
const blocks = (...keys: readonly string[]) => ({
  anyOf: keys.map((key) => ({ $ref: `#/$defs/contentBlocks/${key}` })),
});
const names = { properties: { type: { enum: ["doc", "p"] } }, required: ["type"] };

function document(definitions: JsonObject): JsonObject {
  const keys = { type: "string", not: {} };
  return {
    $id: "svc:project/site/schema",
    "x-svc-schema-version": 1,
    "x-svc-step-content-models": {},
    $defs: { ...definitions, featureKeys: keys, experienceKeys: keys, stepKeys: keys },
  };
}

/** A document of now, and the same one in the layout of before. */
function bothLayouts(): { now: JsonObject; before: JsonObject } {
  const draft = draftOf({
    models: ["note", "page"].map((key) => ({ id: key, key, name: key, fields: FIELDS })),
    blocks: [
      { id: "hero", key: "hero", name: "hero", category: "wide", fields: [] },
      { id: "map", key: "map", name: "map", fields: FIELDS },
    ],
    projects: [projectOf("site")],
  });
  const { contentModels, contentBlocks, fields } = structuredClone(
    sharedDefinitions(draft),
    // biome-ignore lint/suspicious/noExplicitAny: definitions that are looked into
  ) as any;
  const { asset } = fields.$defs;
  const old = {
    any: pointers("note", "page"),
    some: { title: "Some", type: "array", items: pointers("note") },
    none: pointers(),
    image: asset,
    block: blocks("hero", "map"),
    wide: { type: "array", items: blocks("hero") },
    text: {
      anyOf: [],
      $defs: {
        node: { anyOf: [names] },
        pointer: { anyOf: [pointers("note"), asset, blocks("hero", "map")] },
      },
    },
  };
  const { map } = contentBlocks;
  const withOld = (data: JsonObject) => ({ ...data, properties: old });
  const { $defs: _, ...project } = fields;
  return {
    now: document({ contentModels, contentBlocks, fields }),
    before: document({
      contentModels: { note: withOld(contentModels.note), page: withOld(contentModels.page) },
      contentBlocks: {
        ...contentBlocks,
        map: { ...map, properties: { ...map.properties, data: withOld(map.properties.data) } },
      },
      fields: project,
    }),
  };
}

it("D2, S11: a document in the layout of before differs in nothing from the same one of now", () => {
  const { now, before } = bothLayouts();
  expect(JSON.stringify(before)).not.toContain("#/$defs/fields/$defs");
  expect(JSON.stringify(now)).toContain("#/$defs/fields/$defs");
  expect(compareSchemas(before, now)).toEqual([]);
  expect(compareSchemas(now, before)).toEqual([]);
});

it("D2, S11: what changed between the layouts is found", () => {
  const { now, before } = bothLayouts();
  const less = JSON.parse(JSON.stringify(before).replaceAll('"const":"page"', '"const":"other"'));
  const codes = (from: JsonObject, to: JsonObject) =>
    new Set(compareSchemas(from, to).map(({ at, finding }) => `${finding.code} ${at.field}`));
  expect(codes(less, now)).toEqual(new Set(["target-removed any", "target-added any"]));
  const named = JSON.parse(JSON.stringify(before).replaceAll('["doc","p"]', '["doc"]'));
  expect(codes(named, now)).toEqual(new Set(["constraint-changed text"]));
});

it("D2a, S12: patterns of collections are no change, nor is a key that those of both documents give", () => {
  const { now } = bothLayouts();
  const patterns = { "x-svc-patterns": [{ id: "a-*", key: "a-*" }] };
  const $defs = { ...(now.$defs as JsonObject), experienceKeys: patterns, stepKeys: patterns };
  const without = { ...$defs, experienceKeys: {}, stepKeys: {} };
  expect(compareSchemas({ ...now, $defs: without }, { ...now, $defs })).toEqual([]);
  const keyed = (...keys: string[]) => ({
    ...now,
    $defs: { ...$defs, experienceKeys: { ...patterns, enum: keys } },
  });
  const found = compareSchemas(keyed("a-1", "b-1"), keyed("a-2", "c-1"));
  expect(found.map(({ at, finding }) => `${finding.code} ${at.key}`)).toEqual([
    "removed b-1",
    "added c-1",
  ]);
});

it("T2, S11: both layouts of a document give the same types", () => {
  const { now, before } = bothLayouts();
  const types = generateTypes([{ document: now }], { constants: true });
  expect(types).toBe(generateTypes([{ document: before }], { constants: true }));
  expect(types).toContain('some: Pointer<"note">[];');
  expect(types).toContain("any?: Pointer;");
});
