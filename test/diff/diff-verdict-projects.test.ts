import { describe, expect, it } from "vitest";
import { diffOf, told } from "./differ.ts";
import {
  BASE,
  checkRow,
  experience,
  experiences,
  models,
  P,
  PAGE,
  project,
  projects,
  Q,
  type Row,
  step,
  steps,
} from "./verdict-world.ts";

const ROWS: Row[] = [
  [
    "an experience removed",
    experiences(),
    ["breaking removed experience tour"],
    ["safe added experience tour"],
    ["p"],
  ],
  ["an experience's id, its key staying", experiences(experience("tour", "x-2")), [], []],
  [
    "an experience's key, its id staying",
    experiences(experience("trip", "x-tour")),
    ["breaking removed experience tour", "safe added experience trip"],
    ["breaking removed experience trip", "safe added experience tour"],
    ["p"],
  ],
  [
    "a step removed, whatever model was behind it",
    steps(step("end")),
    ["breaking removed step intro"],
    ["safe added step intro"],
    ["p"],
  ],
  [
    "the model behind a step",
    steps(step("intro", "memo"), step("end")),
    ["breaking step-model-changed step intro"],
    ["breaking step-model-changed step intro"],
    ["p"],
  ],
  [
    "the model behind a step that had none",
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
  it.each(ROWS)("%s", checkRow);

  it("the same change in several projects is told once, with all of them", () => {
    const { schema } = diffOf(BASE, { ...BASE, ...models(PAGE) }).forth;
    expect(schema).toMatchObject([{ at: { kind: "model", key: "note" }, projects: ["p", "q"] }]);
    const both = projects(project("p", [], experience("other")), project("q", []));
    const keys = diffOf(BASE, { ...BASE, ...both }).forth.schema;
    expect(keys.map((change) => [told(change), change.projects])).toEqual([
      ["breaking removed experience other", ["q"]],
      ["breaking removed experience tour", ["p"]],
      ["breaking removed step end", ["p"]],
      ["breaking removed step intro", ["p"]],
      ["safe added experience other", ["p"]],
    ]);
  });

  it("the first version adds projects and breaks nothing", () => {
    expect(diffOf(undefined, BASE).forth.schema.map(told)).toEqual([
      "safe added project p",
      "safe added project q",
    ]);
  });
});
