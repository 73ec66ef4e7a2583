import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../src/diff/compare-schemas.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Feature, Project, Step } from "../../src/workspace/records.ts";
import { documentOn, type Parts, TestBed } from "../support/test-bed.ts";
import { changeSummary, diffOf } from "./differ.ts";

const text = (key: string) => ({ key, type: "text" });
const model = (key: string, name = key, ...fields: Parts["fields"] & object) => ({
  id: `m-${key}`,
  key,
  name,
  fields,
});
const flag = (key: string, type: Feature["type"] = "boolean", ...values: string[]): Feature => ({
  id: `f-${key}`,
  key,
  name: key,
  type,
  ...(type === "text" && { variants: values.map((one) => ({ id: one, key: one, name: one })) }),
});
const off = (key: string) => ({ id: key, key, name: key, value: false as const });
const step = (key: string, layoutContentId?: string, id = `s-${key}`): Step => ({
  id,
  key,
  name: key,
  layoutName: "Plain",
  ...(layoutContentId && { layoutContentId }),
});
const experience = (key: string, id = `x-${key}`) => ({ id, key, name: key, stepIds: [] });
const project = (id: string, steps: Step[], ...experiences: ReturnType<typeof experience>[]) => ({
  id,
  name: id,
  steps,
  experiences,
});

const P = project("p", [step("intro", "home"), step("end")], experience("tour"));
const Q = project("q", [], experience("other"));
const BASE: Parts = {
  models: [model("page", "Page", text("title")), model("note")],
  blocks: [
    { ...model("hero"), id: "b-hero" },
    { ...model("wide"), id: "b-wide" },
  ],
  features: [flag("beta"), flag("layout", "text", "a", "b")],
  entries: [
    { id: "home", modelId: "m-page", data: {} },
    { id: "memo", modelId: "m-note", data: {} },
  ],
  projects: [P, Q],
};
const [PAGE, NOTE] = BASE.models ?? [];
const [HERO, WIDE] = BASE.blocks ?? [];
const FIRST = BASE.features?.[0] as Feature;

const models = (...all: (typeof PAGE)[]): Parts => ({
  models: all as NonNullable<typeof PAGE>[],
});
const blocks = (...all: (typeof HERO)[]): Parts => ({
  blocks: all as NonNullable<typeof HERO>[],
});
const features = (...all: Feature[]): Parts => ({ features: [FIRST, ...all] });
const steps = (...all: Step[]): Parts => ({ projects: [{ ...P, steps: all }, Q] });
const experiences = (...all: ReturnType<typeof experience>[]): Parts => ({
  projects: [{ ...P, experiences: all }, Q],
});
const projects = (...all: Project[]): Parts => ({ projects: all });

/** [title, the change, the summaries, those of the reverse diff, and the workspace before]. */
type Row = [string, Parts, string[], string[], string[]?];

/** Checks the diff of a change, in both directions. */
function checkRow(...[, change, forth, back, whose = ["p", "q"]]: Row): void {
  const diff = diffOf(BASE, { ...BASE, ...change });
  expect(diff.forth.schema.map(changeSummary).sort()).toEqual(forth);
  expect(diff.back.schema.map(changeSummary).sort()).toEqual(back);
  for (const { schema, summary } of [diff.forth, diff.back]) {
    const found = [...new Set(schema.flatMap(({ projects: all }) => all))].sort();
    expect(found).toEqual(schema.length === 0 ? [] : whose);
    const breaking = schema.filter(({ verdict }) => verdict === "breaking");
    expect(schema.slice(0, breaking.length), "breaking ones first").toEqual(breaking);
    expect(summary).toMatchObject({
      breaking: breaking.length,
      safe: schema.length - breaking.length,
    });
    for (const { message } of schema) expect(message).not.toMatch(/undefined|\[object/);
  }
}

const ROWS: Row[] = [
  ["a model removed", models(PAGE), ["breaking removed model note"], ["safe added model note"]],
  [
    "a model's key",
    models(PAGE, { ...model("memo"), id: "m-note" }),
    ["breaking removed model note", "safe added model memo"],
    ["breaking removed model memo", "safe added model note"],
  ],
  ["a model's id", models(PAGE, { ...model("note"), id: "m-2" }), [], []],
  [
    "a model's name",
    models({ ...model("page", "P", text("title")) }, NOTE),
    ["safe name-changed model page"],
    ["safe name-changed model page"],
  ],
  ["the order of models and of fields", models(NOTE, PAGE), [], []],
  ["a block removed", blocks(HERO), ["breaking removed block wide"], ["safe added block wide"]],
  [
    "a block's name",
    blocks({ ...model("hero", "Hero"), id: "b-hero" }, WIDE),
    ["safe name-changed block hero"],
    ["safe name-changed block hero"],
  ],
  [
    "a flag removed",
    features(),
    ["breaking removed feature layout"],
    ["safe added feature layout"],
  ],
  [
    "a Text flag becoming a Boolean one",
    features(flag("layout")),
    ["breaking type-changed feature layout"],
    ["breaking type-changed feature layout"],
  ],
  [
    "a Text flag's value removed",
    features(flag("layout", "text", "b")),
    ["breaking value-removed feature layout"],
    ["safe value-added feature layout"],
  ],
  [
    "a Text flag's value serving false",
    features({
      ...flag("layout", "text", "a"),
      variants: [off("b"), ...(flag("layout", "text", "a").variants ?? [])],
    }),
    ["breaking value-removed feature layout", "safe value-added feature layout"],
    ["breaking value-removed feature layout", "safe value-added feature layout"],
  ],
  ["the order of a Text flag's values", features(flag("layout", "text", "b", "a")), [], []],
  [
    "a key that every object inherits",
    {
      ...models(PAGE, NOTE, model("constructor", "C", text("toString"))),
      ...features(flag("layout", "text", "a", "b"), flag("valueOf", "text", "c")),
    },
    ["safe added feature valueOf", "safe added model constructor"],
    ["breaking removed feature valueOf", "breaking removed model constructor"],
  ],
];

describe("D2: the verdict for models, blocks and flags", () => {
  it.each(ROWS)("%s", checkRow);

  it("a removed model or block is also reported for the fields that accept it", () => {
    const any = [
      { key: "ref", type: "reference", repeatable: true },
      { key: "part", type: "content-block" },
    ];
    const world = { ...BASE, ...models(model("page", "P", ...any), NOTE) };
    const after = { ...world, ...models(model("page", "P", ...any)), ...blocks(HERO) };
    expect(diffOf(world, after).forth.schema.map(changeSummary).sort()).toEqual([
      "breaking block-refused model page.part",
      "breaking removed block wide",
      "breaking removed model note",
      "breaking target-removed model page.ref",
    ]);
  });
});

const PROJECT_ROWS: Row[] = [
  [
    "an experience removed",
    experiences(),
    ["breaking removed experience tour"],
    ["safe added experience tour"],
    ["p"],
  ],
  ["an experience's id, its key staying", experiences(experience("tour", "x-2")), [], []],
  [
    "an experience's key, with the same id",
    experiences(experience("trip", "x-tour")),
    ["breaking removed experience tour", "safe added experience trip"],
    ["breaking removed experience trip", "safe added experience tour"],
    ["p"],
  ],
  [
    "a step removed, with any model",
    steps(step("end")),
    ["breaking removed step intro"],
    ["safe added step intro"],
    ["p"],
  ],
  [
    "the model of a step",
    steps(step("intro", "memo"), step("end")),
    ["breaking step-model-changed step intro"],
    ["breaking step-model-changed step intro"],
    ["p"],
  ],
  [
    "the model of a step that had none",
    steps(step("intro", "home"), step("end", "memo")),
    ["safe step-model-added step end"],
    ["breaking step-model-removed step end"],
    ["p"],
  ],
  ["the order of steps", steps(step("end"), step("intro", "home")), [], []],
  [
    "a project removed",
    projects(Q),
    ["breaking removed project p"],
    ["safe added project p"],
    ["p"],
  ],
  [
    "a project's id",
    projects({ ...P, id: "r" }, Q),
    ["breaking removed project p", "safe added project r"],
    ["breaking removed project r", "safe added project p"],
    ["p", "r"],
  ],
  ["a project's name", projects({ ...P, name: "New" }, Q), [], []],
  [
    "an entry's data and an experience's name",
    {
      entries: [{ id: "home", modelId: "m-page", data: { title: "T" } }],
      projects: [{ ...P, experiences: [{ ...experience("tour"), name: "T" }] }, Q],
    },
    [],
    [],
  ],
];

describe("the verdict for projects, experiences and steps", () => {
  it.each(PROJECT_ROWS)("%s", checkRow);

  it("the same change in several projects is reported once, with all of them", () => {
    const { schema } = diffOf(BASE, { ...BASE, ...models(PAGE) }).forth;
    expect(schema).toMatchObject([{ at: { kind: "model", key: "note" }, projects: ["p", "q"] }]);
    const both = projects(project("p", [], experience("other")), project("q", []));
    const keys = diffOf(BASE, { ...BASE, ...both }).forth.schema;
    expect(keys.map((change) => [changeSummary(change), change.projects])).toEqual([
      ["breaking removed experience other", ["q"]],
      ["breaking removed experience tour", ["p"]],
      ["breaking removed step end", ["p"]],
      ["breaking removed step intro", ["p"]],
      ["safe added experience other", ["p"]],
    ]);
  });

  it("the first version adds projects and breaks nothing", () => {
    expect(diffOf(undefined, BASE).forth.schema.map(changeSummary)).toEqual([
      "safe added project p",
      "safe added project q",
    ]);
  });
});

/** The schema document of a real workspace, with a reference and blocks. */
function schemaText(): string {
  const fields = [
    { key: "ref", type: "reference", models: ["note"] },
    { key: "file", type: "asset", repeatable: true },
  ];
  const models = [{ ...PAGE, id: "m-page", key: "page", name: "Page", fields }];
  const bed = new TestBed({ ...BASE, models: [...models, ...(BASE.models ?? []).slice(1)] });
  return JSON.stringify(documentOn(bed, "published", { kind: "schema", projectId: "p" }));
}

/** The changes of a schema that another version of the program wrote in another form. */
function formChanges(pattern: RegExp | string, replacement: string): string[] {
  const text = schemaText();
  const other = text.replaceAll(pattern as string, replacement);
  expect(other, "the form is another one").not.toBe(text);
  const [before, after] = [JSON.parse(text), JSON.parse(other)] as [JsonObject, JsonObject];
  const changes = compareSchemas(before, after);
  expect(compareSchemas(after, before).map(({ at }) => at)).toEqual(changes.map(({ at }) => at));
  return changes.map(({ at, finding }) =>
    [finding.code, at.kind, at.key, at.field].filter(Boolean).join(" "),
  );
}

describe("another form of the schema document, by another version of the program", () => {
  it.each<[string, RegExp | string, string, string[]]>([
    [
      "its version",
      '"x-svc-schema-version":1',
      '"x-svc-schema-version":2',
      ["shape-changed document"],
    ],
    [
      "the schema around a block's data",
      '"contentBlockId"',
      '"blockId"',
      ["shape-changed block hero", "shape-changed block wide"],
    ],
    [
      "further members of a pointer",
      '"data":true',
      '"more":true',
      ["shape-changed model page ref"],
    ],
    [
      "a member of what an asset is served as",
      /"sizeBytes"/g,
      '"size"',
      ["type-changed model page file"],
    ],
    [
      "the type of a member of an asset",
      '"sizeBytes":{"type":["integer","null"]}',
      '"sizeBytes":{"type":"integer"}',
      ["shape-changed model page file"],
    ],
    [
      "which version it is of, and from where",
      '"x-svc-version-id":null',
      '"x-svc-version-id":"v"',
      [],
    ],
  ])("%s", (_title, pattern, replacement, expected) => {
    expect(formChanges(pattern, replacement)).toEqual(expected);
  });

  it("a schema from before Text flags existed has Boolean flags only", () => {
    const after = JSON.parse(schemaText());
    const { "x-svc-feature-values": _, ...before } = after;
    expect(compareSchemas(before, after)).toMatchObject([
      { at: { kind: "feature", key: "layout" }, finding: { code: "type-changed" } },
    ]);
  });
});
