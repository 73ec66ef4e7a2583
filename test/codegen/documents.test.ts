import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { TestBed } from "../support/test-bed.ts";
import { partsOf, type Sample, schemaDocument } from "./schema-sample.ts";
import { fixtureProjects } from "./served-projects.ts";
import { compileUse } from "./type-checking.ts";

const SAMPLE: Sample = {
  models: {
    page: { title: { type: "text", required: true }, next: { type: "reference" } },
    shop: {},
  },
  blocks: ["hero", "quote"],
  features: ["beta"],
  texts: { colour: [{ id: "r", key: "red", name: "Red" }] },
  steps: ["page", "shop"],
  experiences: ["tour", "sale"],
};

const types = (document: JsonValue, constants = false) =>
  generateTypes([{ document }], { constants });

/** The document with the members of every object reversed. */
function backwards(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, backwards(member)]));
}

it("T2: the output does not depend on the order of members in the document", () => {
  for (const { name, schema } of fixtureProjects()) {
    expect(types(backwards(schema), true), name).toBe(types(schema, true));
  }
});

it("T2: the output does not depend on surface or version: publishing content changes no byte", () => {
  const schema = { kind: "schema", projectId: "site" } as const;
  const parts = partsOf({ ...SAMPLE, models: { page: { title: { type: "text" } } } });
  const bed = new TestBed(parts);
  bed.publish();
  const before = bed.file(schema);
  const [entry] = parts.entries ?? [];
  if (entry === undefined) throw new Error("no entry");
  bed.import({ ...parts, entries: [{ ...entry, data: { title: "New" } }] });
  bed.publish();
  const after = bed.file(schema);
  expect(after["x-svc-version-id"]).not.toBe(before["x-svc-version-id"]);
  expect(types(after, true)).toBe(types(before, true));
  const preview = JSON.parse(String(bed.render("preview", schema)?.bytes(null)));
  expect(preview["x-svc-source"]).toBe("preview");
  expect(types(preview, true)).toBe(types(before, true));
});

it("an old document without x-svc-feature-values: every feature serves true or false", () => {
  const { "x-svc-feature-values": values, ...old } = schemaDocument(SAMPLE);
  expect(values).toBeDefined();
  expect(types(old)).toContain("FeatureValues {\n  beta: boolean;\n  colour: boolean;\n}");
});

it("the types of an empty workspace compile: no key is possible", async () => {
  const text = types(schemaDocument({}), true);
  for (const name of ["FeatureKey", "StepKey", "ExperienceKey"]) {
    expect(text).toContain(`export type ${name} = never;\n`);
  }
  const use = `import type { Entry, Block, Schema } from "./types.ts";
export const none: [Entry, Block, Schema["stepKey"], keyof Schema["models"]][] = [];
export const every: never[] = none.flat();
`;
  expect(compileUse(text, use)).toEqual([]);
});

it("there is no run-time code, except the lists of keys on request", () => {
  const schema = schemaDocument(SAMPLE);
  const lines = types(schema)
    .split("\n")
    .filter((line) => /^\S/.test(line));
  expect(
    lines.filter((line) => !/^(\/\/ |\/\*\* |export (type|interface) |\})/.test(line)),
  ).toEqual([]);
  const constants = types(schema, true);
  expect(constants.startsWith(types(schema))).toBe(true);
  expect(constants.slice(types(schema).length).trim().split(/\n+/)).toEqual([
    'export const modelKeys = ["page", "shop"] as const;',
    'export const blockKeys = ["hero", "quote"] as const;',
    'export const featureKeys = ["beta", "colour"] as const;',
    'export const stepKeys = ["page", "shop"] as const;',
    'export const experienceKeys = ["sale", "tour"] as const;',
  ]);
});

it("the constants have the key types, without those that collections give", async () => {
  const schema = fixtureProjects().find(
    ({ name }) => name === "storefront-prj-web-published",
  )?.schema;
  const pairs = ["model", "block", "feature", "step", "experience"].map((one) => {
    const type = `${one[0]?.toUpperCase()}${one.slice(1)}Key`;
    return `export const ${one}s: readonly types.${type}[] = types.${one}Keys;
export const back${type}: (typeof types.${one}Keys)[number] =
  "" as Exclude<types.${type}, \`article-\${string}\` | \`journal-\${number}\`>;\n`;
  });
  const use = `import * as types from "./types.ts";\n${pairs.join("")}`;
  expect(compileUse(types(schema ?? null, true), use)).toEqual([]);
});

const { $id: _, ...WITHOUT_ID } = schemaDocumentLike();

it.each<[string, JsonValue]>([
  ["null", null],
  ["a list", []],
  ["a text", "svc:project/site/schema"],
  ["an empty object", {}],
  ["a project config", { id: "site", versionId: null, fields: {}, steps: [], experiences: [] }],
  ["another JSON schema", { $id: "https://example.com/schema", $defs: {} }],
  ["one without $id", WITHOUT_ID],
  ["one without $defs", { ...schemaDocumentLike(), $defs: undefined as unknown as null }],
  ["one whose models are a list", { ...schemaDocumentLike(), $defs: { contentModels: [] } }],
])("%s is not a schema document: schema-invalid, with a hint", (_what, document) => {
  const error = expect.objectContaining({ code: "schema-invalid", hint: expect.any(String) });
  expect(() => types(document)).toThrow(error);
});

it("T4: a document with a newer schema version is refused: schema-newer, with a hint", () => {
  const newer = { ...schemaDocument(SAMPLE), "x-svc-schema-version": 2 };
  const error = expect.objectContaining({ code: "schema-newer", hint: expect.any(String) });
  expect(() => types(newer)).toThrow(error);
});

function schemaDocumentLike(): JsonObject {
  return { $id: "svc:project/site/schema", "x-svc-schema-version": 1, $defs: {} };
}
