import { describe, expect, it } from "vitest";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import { faultsIn } from "../support/workspaces/workspace-folder.ts";

const ENTRY = { id: "e", modelId: "m", data: {} };
const STEP = { id: "s", key: "s", name: "S", layoutName: "Plain" };
const TOUR = { id: "x", key: "x", name: "X", stepIds: ["s"] };
const ASSET = { id: "a", fileName: "a.png", url: "https://a.example/a.png" };
const VARIANT = { id: "v", key: "v", name: "V" };

/** A right record of each kind with every member that it may have. */
const RIGHT: Readonly<Record<string, Record<string, unknown>>> = {
  models: { id: "m", key: "m", name: "M", fields: [{ key: "a", name: "A", type: "text" }] },
  blocks: { id: "b", key: "b", name: "B", category: "c", fields: [] },
  features: {
    id: "f",
    key: "f",
    name: "F",
    type: "text",
    variants: [{ ...VARIANT, value: false }],
  },
  projects: { id: "p", name: "P", fields: { a: 1 }, steps: [STEP], experiences: [TOUR] },
  entries: ENTRY,
  assets: { ...ASSET, mimeType: "image/png", sizeBytes: 1, width: 1, height: 1, versions: [ASSET] },
};
const KINDS = Object.keys(RIGHT);
const MAY_BE_LEFT_OUT = [
  ...["category", "variants", "versions", "mimeType", "sizeBytes", "width", "height"],
];

const faultsOfRecord = (kind: string, changes: Record<string, unknown>) =>
  faultsIn({ [`${kind}.json`]: [{ ...RIGHT[kind], ...changes }] });
const fieldFaults = (field: object) =>
  faultsIn({ "workspace.json": { id: "w", name: "W", fields: [field] } });

describe.each(KINDS)("folder: a record of %s", (kind) => {
  const members = Object.keys(RIGHT[kind] ?? {});

  it("folder: is right with every member that it may have", () => {
    expect(faultsOfRecord(kind, {})).toEqual([]);
  });

  it("folder: has no unknown member, and is no other value than an object", () => {
    for (const name of ["more", "constructor", "__proto__x", "Id"]) {
      expect(faultsOfRecord(kind, { [name]: 1 })).toEqual([
        expect.stringMatching(new RegExp(`^${kind}\\.json:1:\\d+ unknown member "${name}"$`)),
      ]);
    }
    expect(faultsIn({ [`${kind}.json`]: [null, [], "x", 1] })).toHaveLength(4);
  });

  it.each(members)("folder: cannot have a member %s of a wrong type", (name) => {
    const wrong = typeof RIGHT[kind]?.[name] === "string" ? [1, null, []] : ["x", null, true];
    for (const value of wrong) {
      const told = new RegExp(`^${kind}\\.json:1:\\d+ .*"${name}"`);
      expect(faultsOfRecord(kind, { [name]: value })).toContainEqual(expect.stringMatching(told));
    }
  });

  it.each(members)("folder: may be without %s only if that is optional", (name) => {
    const optional = MAY_BE_LEFT_OUT.includes(name) || (kind === "projects" && name === "fields");
    const faults = faultsOfRecord(kind, { [name]: undefined });
    expect(faults).toEqual(optional ? [] : [expect.stringContaining(name)]);
  });
});

describe("folder: what stands inside a record", () => {
  it.each([
    ["projects", { steps: [{ ...STEP, extra: 1 }] }],
    ["projects", { steps: [{ ...STEP, layoutContentId: null }] }],
    ["projects", { experiences: [{ ...TOUR, stepIds: [1] }] }],
    ["projects", { experiences: [{ ...TOUR, stepIds: undefined }] }],
    ["features", { variants: [{ ...VARIANT, value: true }] }],
    ["features", { variants: [{ ...VARIANT, value: "v" }] }],
    ["features", { type: "number" }],
    ["assets", { versions: [{ ...ASSET, versions: [] }] }],
    ["assets", { sizeBytes: -1 }],
    ["assets", { width: 1.5 }],
    ["assets", { mimeType: "png" }],
    ["entries", { data: [] }],
  ])("folder: a record of %s cannot have %j", (kind, changes) => {
    expect(faultsOfRecord(kind, changes)).toHaveLength(1);
  });
});

describe("folder: a field definition", () => {
  it.each(["Text", "", "toString", "constructor", "string", "__proto__"])(
    "folder: cannot be of the unknown type %j; the known ones are named",
    (type) => {
      const [fault = "", ...others] = fieldFaults({ key: "a", type });
      expect(fault).toContain(`unknown field type "${type}"`);
      for (const known of FIELD_TYPES.keys()) expect(fault).toContain(known);
      expect(others).toEqual([]);
    },
  );

  it.each([
    [{ type: "text" }],
    [{ key: "a" }],
    [{ key: 1, type: "text" }],
    [{ key: "a", type: "text", more: 1 }],
    [{ key: "a", type: "text", required: "yes" }],
    [{ key: "a", type: "text", name: 1 }],
    [{ key: "a", type: "text", minLength: -1 }],
    [{ key: "a", type: "text", minLength: 1.5 }],
    [{ key: "a", type: "text", minLength: 3, maxLength: 2 }],
    [{ key: "a", type: "text", pattern: "(" }],
    [{ key: "a", type: "text", pattern: "\\-" }],
    [{ key: "a", type: "text", minimum: 1 }],
    [{ key: "a", type: "number", maximum: "1" }],
    [{ key: "a", type: "integer", minimum: 2, maximum: 1 }],
    [{ key: "a", type: "boolean", minLength: 1 }],
    [{ key: "a", type: "select" }],
    [{ key: "a", type: "select", options: [] }],
    [{ key: "a", type: "select", options: ["x", "x"] }],
    [{ key: "a", type: "select", options: [1] }],
    [{ key: "a", type: "content-block", category: "" }],
    [{ key: "a", type: "reference", models: [] }],
    [{ key: "a", type: "reference", models: "page" }],
    [{ key: "a", type: "text", minItems: 1 }],
    [{ key: "a", type: "text", repeatable: false, maxItems: 1 }],
    [{ key: "a", type: "text", repeatable: true, minItems: 2, maxItems: 1 }],
  ])("folder: cannot be %j", (field) => {
    expect(fieldFaults(field)).toEqual([expect.stringMatching(/^workspace\.json:1:\d+ /)]);
  });

  it.each([
    [{ key: "a", type: "text", pattern: "^\\p{Lu}+$", minLength: 0, maxLength: 0 }],
    [{ key: "a", type: "number", minimum: -0.5, maximum: -0.5 }],
    [{ key: "a", type: "select", options: [""], required: true, name: "" }],
    [{ key: "a", type: "json", repeatable: true, minItems: 1, maxItems: 1 }],
    [{ key: "a", type: "reference", models: ["a-model-that-is-not-there"] }],
    [{ key: "a", type: "content-block", category: "a category that no block has" }],
  ])("folder: may be %j", (field) => {
    expect(fieldFaults(field)).toEqual([]);
  });
});
