import { describe, expect, it } from "vitest";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import {
  faultsIn,
  faultsOf,
  recordsIn,
  workspaceFolder,
} from "../support/workspaces/workspace-folder.ts";

const STEP = { id: "s", key: "s", name: "S", layoutName: "Plain" };
const PROJECT = { id: "p", name: "P", steps: [STEP], experiences: [] };
const ASSET = { id: "a", fileName: "a.png", url: "https://a.example/a.png" };
const MODEL = { id: "m", key: "m", name: "M", fields: [{ key: "a", type: "text" }] };

/** A model with a query. */
const finding = (query: object) => ({
  ...MODEL,
  fields: [{ key: "a", type: "reference", repeatable: true, query }],
});

describe("W2: null for an optional member is as absent", () => {
  it.each([
    ["projects", PROJECT, { ...PROJECT, fields: null }],
    ["projects", PROJECT, { ...PROJECT, steps: [{ ...STEP, layoutContentId: null }] }],
    ["blocks", MODEL, { ...MODEL, category: null }],
    [
      "features",
      { id: "f", key: "f", name: "F", type: "boolean" },
      { id: "f", key: "f", name: "F", type: "boolean", variants: null },
    ],
    ["assets", ASSET, { ...ASSET, mimeType: null, width: null, file: null, versions: null }],
    ["assets", { ...ASSET, versions: [ASSET] }, { ...ASSET, versions: [{ ...ASSET, file: null }] }],
    ["models", MODEL, { ...MODEL, fields: [{ key: "a", type: "text", name: null }] }],
    ["models", finding({}), finding({ where: null, sort: null, limit: null })],
  ] as [string, object, object][])("W2: in a record of %s: %j", (kind, absent, withNull) => {
    const expected = recordsIn({ [`${kind}.json`]: [absent] });
    expect(recordsIn({ [`${kind}.json`]: [withNull] })).toEqual(expected);
    expect(recordsIn({ [`${kind}.ndjson`]: withNull })).toEqual(expected);
    expect(recordsIn({ [`${kind}/a.json`]: withNull })).toEqual(expected);
  });

  it("W2: in workspace.json", () => {
    const read = (settings: object) => [
      ...readFolder(workspaceFolder({ "workspace.json": { id: "w", name: "W", ...settings } })),
    ];
    const fields = [{ key: "a", type: "number" }];
    expect(read({ previewToken: null, assetBaseUrl: null, fields: null })).toEqual(read({}));
    expect(read({ fields: [{ ...fields[0], minimum: null }] })).toEqual(read({ fields }));
  });

  it.each([...FIELD_TYPES.values()])("W2: for each option of a field of type $name", (type) => {
    const names = ["name", "required", "repeatable", "minItems", "maxItems"];
    const required = type.requiredOptions ?? [];
    const optional = Object.keys(type.options).filter((name) => !required.includes(name));
    const nulls = Object.fromEntries([...names, ...optional].map((name) => [name, null]));
    const field = { key: "a", type: type.name, ...(required.length > 0 && { options: ["x"] }) };
    const model = (fields: object[]) => recordsIn({ "models.json": [{ ...MODEL, fields }] });
    expect(model([{ ...field, ...nulls }])).toEqual(model([field]));
    for (const name of ["key", "type", ...required]) {
      const fields = [{ ...field, [name]: null }];
      expect(faultsIn({ "models.json": [{ ...MODEL, fields }] })).not.toEqual([]);
    }
  });

  it("W2: but not for a required or unknown member", () => {
    expect(faultsIn({ "projects.json": [{ ...PROJECT, steps: null }] })).toEqual([
      expect.stringMatching(/^projects\.json:1:\d+ "steps" must be a list$/),
    ]);
    expect(faultsIn({ "projects.json": [{ ...PROJECT, layout: null }] })).toHaveLength(1);
    expect(faultsIn({ "models.json": [{ ...MODEL, category: null }] })).toHaveLength(1);
  });

  it("W2: and stored values keep their nulls", () => {
    const entry = { id: "e", modelId: "m", data: { a: null, b: [null, { c: null }] } };
    const project = { ...PROJECT, fields: { a: null } };
    expect(recordsIn({ "entries.json": [entry], "projects.json": [project] })).toEqual([
      { kind: "projects", record: project },
      { kind: "entries", record: entry },
    ]);
  });
});

describe("W4: a fault names its record beside its place", () => {
  it.each([
    ["models", "model"],
    ["entries", "entry"],
    ["assets", "asset"],
  ])("W4: of %s", (kind, one) => {
    const folder = workspaceFolder({ [`${kind}.json`]: [{ id: "hero", more: 1 }] });
    const faults = faultsOf(folder);
    expect(faults.length).toBeGreaterThan(1);
    for (const { record } of faults) expect(record).toEqual({ kind: one, id: "hero" });
  });

  it("W4: unless its id is not known", () => {
    const folder = workspaceFolder({ "entries.json": [{ id: 1 }, null], "models.json": "{" });
    const faults = faultsOf(folder);
    expect(faults.length).toBeGreaterThan(3);
    for (const fault of faults) expect(fault).not.toHaveProperty("record");
  });
});
