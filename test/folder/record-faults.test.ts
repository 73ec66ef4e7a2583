import { describe, expect, it } from "vitest";
import { metaSchemaCheck } from "../../src/documents/meta-schema.ts";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import { SHAPES } from "../../src/records/record-shapes.ts";
import { faultsIn } from "../support/workspaces/workspace-folder.ts";

const ENTRY = { id: "e", modelId: "m", data: {} };
const STEP = { id: "s", key: "s", name: "S", layoutName: "Plain" };
const TOUR = { id: "x", key: "x", name: "X", stepIds: ["s"] };
const ASSET = { id: "a", fileName: "a.png", url: "https://a.example/a.png" };
const VARIANT = { id: "v", key: "v", name: "V" };

/** A valid record of each kind with every member. */
const VALID: Readonly<Record<string, Record<string, unknown>>> = {
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
const KINDS = Object.keys(VALID);
const OPTIONAL = ["category", "variants", "versions", "mimeType", "sizeBytes", "width", "height"];

const isOptional = (kind: string, name: string) =>
  OPTIONAL.includes(name) || (kind === "projects" && name === "fields");
const faultsOfRecord = (kind: string, changes: Record<string, unknown>) =>
  faultsIn({ [`${kind}.json`]: [{ ...VALID[kind], ...changes }] });
const fieldFaults = (field: object) =>
  faultsIn({ "workspace.json": { id: "w", name: "W", fields: [field] } });

describe("V10: unique", () => {
  const faultsOf = (field: object, kind = "models") =>
    faultsOfRecord(kind, { fields: [{ key: "a", ...field, unique: true }] });

  it.each([...FIELD_TYPES.keys()])("V10: whether a field of the type %s may be unique", (type) => {
    const isAble = /^(?:text|select|number|integer|date|date-time|iso-date|url|email)$/.test(type);
    const options = type === "select" ? { options: ["x"] } : {};
    const faults = faultsOf({ type, ...options });
    expect(faults).toEqual(isAble ? [] : [expect.stringContaining(`"${type}" cannot be unique`)]);
    expect(faultsOf({ type, ...options, repeatable: true })).toEqual([
      expect.stringContaining("a repeatable field cannot be unique"),
    ]);
  });

  it("V10: only fields of models may be unique, and false says nothing", () => {
    const refused = [expect.stringContaining("only a field of a model can be unique")];
    expect(faultsOf({ type: "text" }, "blocks")).toEqual(refused);
    expect(fieldFaults({ key: "a", type: "text", unique: true })).toEqual(refused);
    expect(fieldFaults({ key: "a", type: "json", unique: false })).toEqual([]);
  });
});

it("faults of shapes are in the words of authors, not of a validator", () => {
  const faultsOf = (field: object) =>
    faultsOfRecord("models", { fields: [{ key: "a", type: "text", ...field }] });
  for (const [field, words] of [
    [{ description: 5 }, '"description" must be a text'],
    [{ minLength: -1 }, '"minLength" must be at least 0'],
    [{ minLength: 1.5 }, '"minLength" must be a number without fraction'],
    [{ required: "x" }, '"required" must be true or false'],
    [{ type: "number", minimum: "1" }, '"minimum" must be a number'],
    [{ type: "select", options: [] }, '"options" must not be empty'],
    [{ type: "select", options: ["a", "b", "a"] }, '"options" has the same item twice: 1 and 3'],
    [{ type: "reference", models: "x" }, '"models" must be a list'],
  ] as const) {
    expect(faultsOf(field)).toEqual([expect.stringContaining(words)]);
  }
});

describe("B1, B2: locales of projects and localized fields", () => {
  const faultsOf = (changes: object) => faultsOfRecord("projects", { ...changes });

  it("B1: fallback locales follow a locale, each once, and not the project's own", () => {
    expect(faultsOf({ locale: "de-AT", fallbackLocales: ["de", "en"] })).toEqual([]);
    expect(faultsOf({ locale: "de", fallbackLocales: [] })).toEqual([]);
    expect(faultsOf({ fallbackLocales: [] })).toEqual([]);
    expect(faultsOf({ fallbackLocales: ["de"] })).toEqual([
      expect.stringContaining('"fallbackLocales" needs "locale"'),
    ]);
    expect(faultsOf({ locale: "de", fallbackLocales: ["en", "de"] })).toEqual([
      expect.stringContaining("is the project's locale already"),
    ]);
    expect(faultsOf({ locale: "de", fallbackLocales: ["en", "en"] })).toHaveLength(1);
    for (const locale of ["", 7, ["de"]]) {
      expect(faultsOf({ locale }), JSON.stringify(locale)).toHaveLength(1);
      expect(faultsOf({ locale: "de", fallbackLocales: [locale] })).toHaveLength(1);
    }
    expect(faultsOf({ locale: "de", fallbackLocales: "en" })).toHaveLength(1);
  });

  it("B2: fields of models and blocks of every type may be localized, project fields not", () => {
    const localized = { key: "a", localized: true };
    for (const type of FIELD_TYPES.keys()) {
      const options = type === "select" ? { options: ["x"] } : {};
      const field = { ...localized, type, repeatable: true, ...options };
      for (const kind of ["models", "blocks"]) {
        expect(faultsOfRecord(kind, { fields: [field] }), `${kind} ${type}`).toEqual([]);
      }
    }
    expect(fieldFaults({ ...localized, type: "text" })).toEqual([
      expect.stringContaining("a field of projects cannot be localized"),
    ]);
    expect(fieldFaults({ key: "a", type: "text", localized: false })).toEqual([]);
    expect(
      faultsOfRecord("models", { fields: [{ key: "a", type: "text", localized: "yes" }] }),
    ).toHaveLength(1);
  });
});

describe("W6: the title field", () => {
  it("W6: one field of a model at most, which is not repeatable", () => {
    const faultsOf = (...more: object[]) =>
      faultsOfRecord("models", {
        fields: more.map((one, at) => ({ key: `f${at}`, type: "text", ...one })),
      });
    expect(faultsOf({ title: true }, { title: false }, {})).toEqual([]);
    expect(faultsOf({ title: true }, { title: true })).toEqual([
      expect.stringContaining("another field is the title already"),
    ]);
    expect(faultsOf({ title: true, repeatable: true })).toEqual([
      expect.stringContaining("a repeatable field cannot be the title"),
    ]);
    for (const type of ["select", "url", "email", "date", "date-time"]) {
      expect(
        faultsOf({ type, options: type === "select" ? ["a"] : undefined, title: true }),
      ).toEqual([]);
    }
    for (const type of ["rich-text", "json", "number", "boolean", "asset", "reference"]) {
      expect(faultsOf({ type, title: true })).toEqual([
        expect.stringContaining(
          `a field of the type "${type}" cannot be the title; the types text, select,`,
        ),
      ]);
    }
  });
});

describe("V4c: texts of assets", () => {
  it("V4c: are a fault unless the workspace serves them", () => {
    const faultsOf = (assetTexts: boolean | undefined, asset: object) =>
      faultsIn({
        "workspace.json": { id: "w", name: "W", assetTexts },
        "assets.json": [{ ...VALID.assets, ...asset }],
      });
    const texts = { title: "T", versions: [{ ...ASSET, description: "D" }] };
    expect(faultsOf(true, texts)).toEqual([]);
    for (const setting of [false, undefined]) {
      expect(faultsOf(setting, texts)).toEqual([
        expect.stringContaining('the description would not be served; set "assetTexts": true'),
        expect.stringContaining('the title would not be served; set "assetTexts": true'),
      ]);
    }
  });
});

it("W4b: a faulty workspace.json is no reason for faults of other records", () => {
  for (const workspace of ["{", { id: "w", nmae: "W" }]) {
    const texts = { "assets.json": [{ ...ASSET, title: "T" }], "workspace.json": workspace };
    for (const fault of faultsIn(texts)) expect(fault).toMatch(/^workspace\.json/);
  }
});

describe.each(KINDS)("folder: a record of %s", (kind) => {
  const members = Object.keys(VALID[kind] ?? {});

  it("folder: is valid with every member", () => {
    expect(faultsOfRecord(kind, {})).toEqual([]);
  });

  it("folder: must be an object without unknown members", () => {
    for (const name of ["more", "constructor", "__proto__x", "Id"]) {
      expect(faultsOfRecord(kind, { [name]: 1 })).toEqual([
        expect.stringMatching(new RegExp(`^${kind}\\.json:1:\\d+ unknown member "${name}"; [tv]`)),
      ]);
    }
    expect(faultsIn({ [`${kind}.json`]: [null, [], "x", 1] })).toHaveLength(4);
  });

  it.each(members)("folder: cannot have a member %s of the wrong type", (name) => {
    const wrong: unknown[] = typeof VALID[kind]?.[name] === "string" ? [1, []] : ["x", true];
    if (!isOptional(kind, name) && name !== "url") wrong.push(null);
    for (const value of wrong) {
      const fault = new RegExp(`^${kind}\\.json:1:\\d+ .*"${name}"`);
      expect(faultsOfRecord(kind, { [name]: value })).toContainEqual(expect.stringMatching(fault));
    }
  });

  it.each(members)("folder: must have %s unless it is optional", (name) => {
    const faults = faultsOfRecord(kind, { [name]: undefined });
    expect(faults).toEqual(isOptional(kind, name) ? [] : [expect.stringContaining(name)]);
  });
});

describe("W4d: a member that is nearly one is named, also where it is missing", () => {
  it.each([
    ["entries", { modelId: undefined, modleId: "m" }, "modleId", "modelId"],
    ["entries", { modelId: undefined, modelID: "m" }, "modelID", "modelId"],
    ["entries", { modelId: undefined, contentType: "m" }, "contentType", "modelId"],
    ["entries", { data: undefined, fields: {} }, "fields", "data"],
    ["entries", { publishat: "2026-11-21T09:30:00Z" }, "publishat", "publishAt"],
    ["entries", { id: undefined, ID: "e" }, "ID", "id"],
    ["models", { name: undefined, title: "M" }, "title", "name"],
    ["models", { fields: undefined, field: [] }, "field", "fields"],
    ["blocks", { category: undefined, catgory: "c" }, "catgory", "category"],
    ["features", { variants: undefined, varients: [] }, "varients", "variants"],
    ["projects", { locales: "en" }, "locales", "locale"],
    [
      "projects",
      { steps: [{ ...STEP, layoutName: undefined, layout: "Plain" }] },
      "layout",
      "layoutName",
    ],
    [
      "projects",
      { steps: [{ ...STEP, contentEntryId: "e" }] },
      "contentEntryId",
      "layoutContentId",
    ],
    [
      "projects",
      { experiences: [{ ...TOUR, stepIds: undefined, steps: ["s"] }] },
      "steps",
      "stepIds",
    ],
    ["features", { variants: [{ ...VARIANT, name: undefined, label: "V" }] }, "label", "name"],
    ["assets", { fileName: undefined, filename: "a.png" }, "filename", "fileName"],
    ["assets", { alt: "A" }, "alt", "description"],
    ["assets", { mimeType: undefined, type: "image/png" }, "type", "mimeType"],
    ["assets", { versions: [{ ...ASSET, alt: "A" }] }, "alt", "description"],
  ])("W4d: a record of %s with %j", (kind, changes, name, meant) => {
    expect(faultsOfRecord(kind, changes)).toEqual([
      expect.stringContaining(`unknown member "${name}"; did you mean "${meant}"?`),
    ]);
  });

  it.each([
    [{ type: "text", min: 1 }, "min", "minLength"],
    [{ type: "number", min: 1 }, "min", "minimum"],
    [{ type: "boolean", repeatable: true, max: 1 }, "max", "maxItems"],
    [{ type: "integer", maxLength: 3 }, "maxLength", "maximum"],
    [{ type: "text", maxlength: 3 }, "maxlength", "maxLength"],
    [{ type: "select", options: undefined, choices: ["a"] }, "choices", "options"],
    [{ type: "text", mandatory: true }, "mandatory", "required"],
    [{ type: "reference", model: ["m"] }, "model", "models"],
  ])("W4d: a field %j", (field, name, meant) => {
    expect(fieldFaults({ key: "a", ...field })).toEqual([
      expect.stringContaining(`unknown member "${name}"; did you mean "${meant}"?`),
    ]);
  });

  it("W4d: the type of a field, and its name", () => {
    expect(fieldFaults({ key: "a", type: "Text" })[0]).toContain('"Text"; did you mean "text"?');
    expect(fieldFaults({ key: "a", tpye: "text" })).toEqual([
      expect.stringContaining('the member "type" is missing; did you mean it by "tpye"?'),
    ]);
  });

  it("W4d: what is near nothing is listed with what may be there", () => {
    expect(faultsOfRecord("blocks", { colour: 1 })[0]).toMatch(/; the members are id, key, name, /);
    expect(faultsOfRecord("entries", { headline: 1 })[0]).toMatch(
      /; values of fields are in "data"/,
    );
  });
});

describe("folder: nested values of a record", () => {
  it.each([
    ["projects", { steps: [{ ...STEP, extra: 1 }] }],
    ["projects", { steps: [{ ...STEP, layoutName: null }] }],
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
    "folder: cannot have the unknown type %j; the fault lists the known ones",
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
    [{ key: "a", type: "text", name: 1 }],
    [{ key: "a", type: "text", minLength: 3, maxLength: 2 }],
    [{ key: "a", type: "text", pattern: "(" }],
    [{ key: "a", type: "text", pattern: "\\-" }],
    [{ key: "a", type: "text", minimum: 1 }],
    [{ key: "a", type: "integer", minimum: 2, maximum: 1 }],
    [{ key: "a", type: "boolean", minLength: 1 }],
    [{ key: "a", type: "select" }],
    [{ key: "a", type: "select", options: [1] }],
    [{ key: "a", type: "content-block", category: "" }],
    [{ key: "a", type: "reference", models: [] }],
    [{ key: "a", type: "text", minItems: 1 }],
    [{ key: "a", type: "text", repeatable: false, maxItems: 1 }],
    [{ key: "a", type: "text", repeatable: true, minItems: 2, maxItems: 1 }],
  ])("folder: cannot be %j", (field) => {
    expect(fieldFaults(field)).toEqual([expect.stringMatching(/^workspace\.json:1:\d+ /)]);
  });
});

describe("folder: the variants of a feature", () => {
  it("S9: only a text feature may have some", () => {
    expect(faultsOfRecord("features", { type: "boolean" })).toEqual([
      expect.stringMatching(/^features\.json:1:\d+ a boolean feature has no variants/),
    ]);
    expect(faultsOfRecord("features", { type: "boolean", variants: [] })).toEqual([]);
  });
});

it("H3c: a preview token that could be guessed is refused, and not shown", () => {
  const faultsOf = (previewToken: string) =>
    faultsIn({ "workspace.json": { id: "w", name: "W", previewToken } });
  expect(faultsOf("a".repeat(19))).toEqual([
    expect.stringMatching(/^workspace\.json:1:\d+ "previewToken" has fewer than 20 characters$/),
  ]);
  expect(faultsOf("a".repeat(20))).toEqual([]);
});

it("folder: the schemas of records and of field options are valid", () => {
  const check = metaSchemaCheck();
  const options = [...FIELD_TYPES.values()].flatMap((type) => Object.entries(type.options));
  const all = [...Object.entries(SHAPES), ...options];
  expect(all.filter(([, schema]) => !check(schema)).map(([name]) => name)).toEqual([]);
  expect(all.length).toBeGreaterThan(10);
  expect(check({ type: "text" })).toBe(false);
});
