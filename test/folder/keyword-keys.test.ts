import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { documentOn, SURFACES, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { faultsIn, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const META = join(import.meta.dirname, "../../node_modules/ajv/dist/refs/json-schema-2020-12");

/** Every keyword in the draft 2020-12 meta-schema and its vocabularies. */
const KEYWORDS = new Set(
  pathsBelow(META)
    .filter((path) => path.endsWith(".json"))
    .flatMap((path) => Object.keys(JSON.parse(readFileSync(join(META, path), "utf8")).properties)),
);

const CORE = [...KEYWORDS].filter((keyword) => keyword.startsWith("$"));
const NAMED = [...KEYWORDS].filter((keyword) => !keyword.startsWith("$"));

/** Names that look like keywords, or that every object inherits. */
const ORDINARY = [
  "id",
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "Title",
  "nullable",
  "schema",
  "contentModels",
  "contentBlocks",
  "fields",
  "defs",
  "ref",
  "x-svc-source",
  "discriminator",
];

const defined = (key: string) => ({ id: key, key, name: key, fields: [{ key, type: "text" }] });

const FIELDS = [...NAMED, ...ORDINARY].map((key) => ({ key, type: "text", required: true }));
const SITE = projectOf("p", ...NAMED);

/** A workspace with keywords as keys of fields, features, variants, steps and experiences. */
const KEYWORDS_EVERYWHERE = {
  "workspace.json": { id: "w", name: "W", fields: FIELDS },
  "models.json": [{ ...defined("page"), fields: FIELDS }],
  "blocks.json": [{ ...defined("hero"), fields: FIELDS }],
  "features.json": NAMED.map((key) => ({
    id: key,
    key,
    name: key,
    type: "text",
    variants: [{ id: key, key, name: key }],
  })),
  "projects.json": [
    { ...SITE, steps: SITE.steps.map((step) => ({ ...step, key: step.layoutContentId })) },
  ],
};

it("I3: the meta-schema has the keywords that the rule names", () => {
  expect([...KEYWORDS]).toEqual(
    expect.arrayContaining(["title", "items", "not", "enum", "format", "default", "$defs"]),
  );
  expect(NAMED.length).toBeGreaterThan(45);
});

describe.each(["models", "blocks"])("I3: the key of one of the %s", (kind) => {
  it("I3: must be no JSON Schema keyword; those with $ are no keys", () => {
    const record = (key: string, at: number) => ({ id: `k${at}`, key, name: "K", fields: [] });
    const faults = faultsIn({ [`${kind}.json`]: [...NAMED, ...CORE].map(record) });
    const reason = (key: string) =>
      `the key "${key}" is a JSON Schema keyword, which would make the schema`;
    expect(faults).toEqual([
      ...NAMED.map((key) => expect.stringContaining(reason(key))),
      ...CORE.map((key) => expect.stringContaining(`malformed key "${key}"`)),
    ]);
  });

  it("I3: may be any other key", () => {
    expect(faultsIn({ [`${kind}.json`]: ORDINARY.map(defined) })).toEqual([]);
  });
});

describe.each(SURFACES)("on the %s surface", (surface) => {
  it("I3: field keys that keywords or objects have, and keys of features, steps and experiences, may be keywords", () => {
    const bed = new TestBed();
    bed.store.import(readFolder(workspaceFolder(KEYWORDS_EVERYWHERE)), new Date());
    const document = documentOn(bed, surface, { kind: "schema", projectId: "p" });
    const schema = new CompiledSchema(document);
    const data = Object.fromEntries(FIELDS.map(({ key }) => [key, "x"]));
    for (const definition of ["contentModels/page", "fields"]) {
      expect(schema.faults(definition, data)).toEqual([]);
      expect(schema.faults(definition, { ...data, type: 1 })).toHaveLength(1);
      expect(schema.faults(definition, {})).not.toEqual([]);
    }
    for (const list of ["featureKeys", "experienceKeys", "stepKeys"]) {
      expect(document.$defs[list].enum).toEqual([...NAMED].sort());
    }
  });
});
