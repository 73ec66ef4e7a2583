import { expect, it } from "vitest";
import { sharedDefinitions } from "../../src/documents/schema-definitions.ts";
import { definitionsValidator } from "../../src/documents/schema-validator.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const SCHEMA = { kind: "schema", projectId: "site" } as const;
const CONTENT = { kind: "content", projectId: "site", experienceId: "e0" } as const;

const record = (key: string, fields: readonly FieldDefinition[], category?: string) => ({
  id: `id-${key}`,
  key,
  name: key,
  fields,
  ...(category !== undefined && { category }),
});

type FieldsOf = (next: string, all: readonly string[]) => readonly FieldDefinition[];

/** As many models, each with an entry that refers to the next one by the field `to`. */
function chained(count: number, fieldsOf: FieldsOf): Parts {
  const keys = Array.from({ length: count }, (_, index) => `m${index}`);
  const next = (index: number) => (index + 1) % count;
  const models = keys.map((key, index) => record(key, fieldsOf(`m${next(index)}`, keys)));
  const entries = models.map(({ id, fields }, index): Entry => {
    const pointer = { contentEntryId: `e${next(index)}` };
    const isTree = fields.some(({ type }) => type === "rich-text");
    const to = isTree ? { type: "doc", content: [pointer] } : pointer;
    return { id: `e${index}`, modelId: id, data: { to } };
  });
  return { models, entries, projects: [projectOf("site", "e0")] };
}

/** As many blocks, each of which accepts the next one only; an entry has them 8 levels deep. */
function nestedBlocks(count: number): Parts {
  const accepting = (index: number) => [
    { key: "in", type: "content-block", category: `c${index % count}` },
  ];
  const at = (index: number) => record(`b${index}`, accepting(index + 1), `c${index}`);
  const data = Array.from({ length: 8 }).reduceRight<JsonObject>(
    (inner, _, index) => ({ in: { contentBlockId: `id-b${index}`, data: inner } }),
    {},
  );
  return {
    blocks: Array.from({ length: count }, (_, index) => at(index)),
    models: [record("page", accepting(0))],
    entries: [{ id: "e0", modelId: "id-page", data }],
    projects: [projectOf("site", "e0")],
  };
}

/** Publishes it; each entry that it serves is valid by the published document itself, in plain ajv. */
function publishedSchema(parts: Parts) {
  const bed = new TestBed(parts);
  const { published } = bed.publish();
  expect(published).toBe(true);
  const document = bed.file(SCHEMA);
  const schema = new CompiledSchema(document);
  const { content, references } = bed.file(CONTENT);
  for (const { contentModelKey, data } of [...content, ...references]) {
    expect(schema.faults(`contentModels/${contentModelKey}`, data)).toEqual([]);
  }
  return { document, schema };
}

const toNext = (key: string) => [{ key: "to", type: "reference", models: [key] }];
const toAny = () => [{ key: "to", type: "reference" }];
const toEach = (_: string, models: readonly string[]) => [{ key: "to", type: "reference", models }];
const tree = () => [{ key: "to", type: "rich-text" }];
const treeOfEach = (_: string, models: readonly string[]) => [
  { key: "to", type: "rich-text", models, nodeTypes: ["doc"] },
];

it.each([
  ["48 models with a rich text field each", () => chained(48, tree)],
  ["120 models in a chain of references", () => chained(120, toNext)],
  ["150 blocks in a chain", () => nestedBlocks(150)],
])("S11, S4: %s are published, and plain ajv validates what is served", (_, parts) => {
  publishedSchema(parts());
});

it.each([
  ["references to any model", toAny, 48],
  ["references to a list of all models", toEach, 48],
  ["references to the next model", toNext, 48],
  ["rich text", tree, 48],
  ["rich text with a list of models", treeOfEach, 48],
])(
  "S11: a schema document grows with the number of fields, not of pairs: %s",
  (_, fields, count) => {
    const sizeOf = (size: number) =>
      JSON.stringify(sharedDefinitions(draftOf(chained(size, fields)))).length;
    const [few, some, many] = [sizeOf(count), sizeOf(2 * count), sizeOf(3 * count)] as const;
    // Keys have another length from m100 on.
    expect(many - some).toBeLessThan(1.1 * (some - few));
  },
);

it("S11: what fields share stands once, named after what it accepts", () => {
  const fields = [
    { key: "any", type: "reference" },
    { key: "one", type: "reference", models: ["page"] },
    { key: "list", type: "reference", models: ["page", "gone"], repeatable: true },
    { key: "all", type: "reference", models: ["page", "note"] },
    { key: "none", type: "reference", models: ["gone"] },
    { key: "image", type: "asset" },
    { key: "block", type: "content-block" },
    { key: "wide", type: "content-block", category: "wide" },
    { key: "text", type: "rich-text" },
    { key: "marked", type: "rich-text", marks: ["bold"] },
  ];
  const { document } = publishedSchema({
    fields,
    models: [record("page", fields), record("note", [])],
    blocks: [record("hero", fields, "wide"), record("map", [])],
    projects: [projectOf("site", "e0")],
    entries: [{ id: "e0", modelId: "id-page", data: {} }],
  });
  const { fields: project, contentModels, contentBlocks } = document.$defs;
  const shared = "#/$defs/fields/$defs";
  const refs = {
    any: { $ref: `${shared}/reference` },
    one: { $ref: `${shared}/reference.page` },
    list: { items: { $ref: `${shared}/reference.page` } },
    all: { $ref: `${shared}/reference` },
    none: { $ref: `${shared}/reference.0` },
    image: { $ref: `${shared}/asset` },
    block: { $ref: `${shared}/content-block` },
    wide: { $ref: `${shared}/content-block.hero` },
    text: { $ref: `${shared}/rich-text` },
    marked: { $ref: expect.stringMatching(/\/rich-text\.[0-9a-f]{16}$/) },
  };
  const data = contentBlocks.hero.properties.data;
  for (const one of [project, contentModels.page, data]) expect(one.properties).toMatchObject(refs);
  expect(Object.keys(project.$defs)).toHaveLength(9);
});

it("S11: a document without such fields has nothing to share", () => {
  const { document } = publishedSchema({
    models: [record("page", [{ key: "title", type: "text" }])],
    projects: [projectOf("site", "e0")],
    entries: [{ id: "e0", modelId: "id-page", data: {} }],
  });
  expect(document.$defs.fields).not.toHaveProperty("$defs");
});

it("S11a, S4: a model with 3,000 fields is published, and each value is validated", () => {
  const fields = Array.from({ length: 3000 }, (_, index) => ({ key: `f${index}`, type: "text" }));
  const data = Object.fromEntries(fields.map(({ key }) => [key, key]));
  const parts = {
    models: [record("page", fields)],
    projects: [projectOf("site", "e0")],
    entries: [{ id: "e0", modelId: "id-page", data }],
  };
  const bed = new TestBed(parts);
  expect(bed.publish().published).toBe(true);
  expect(Object.keys(bed.file(CONTENT).content[0].data)).toHaveLength(3000);
  const validator = definitionsValidator(draftOf(parts));
  expect(validator.fault("contentModels/page", data)).toBeUndefined();
  const fault = validator.fault("contentModels/page", { ...data, f2999: 1, more: true });
  expect(fault).toBe("the value must NOT have additional properties; /f2999 must be string");
});

it("S11a: a fault behind references is named with its path", () => {
  const draft = draftOf(nestedBlocks(3));
  const at = (key: string, data: JsonObject): JsonObject => ({
    in: { contentBlockId: "id", contentBlockKey: key, data },
  });
  const validator = definitionsValidator(draft);
  const right = at("b0", at("b1", at("b2", {})));
  const wrong = at("b0", at("b1", at("b0", {})));
  expect(validator.fault("contentModels/page", right)).toBeUndefined();
  expect(validator.fault("contentModels/page", wrong)).toMatch(
    /^\/in\/data\/in\/data\/in\/contentBlockKey must be equal to one of the allowed values;/,
  );
});
