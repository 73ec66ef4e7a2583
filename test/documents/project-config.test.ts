import { describe, expect, it } from "vitest";
import type { Project } from "../../src/workspace/records.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";

const CONFIG = { kind: "project", projectId: "shop" } as const;

const step = (id: string, layoutContentId?: string) => ({
  id,
  key: `key-${id}`,
  name: `Name ${id}`,
  layoutName: `layout-${id}`,
  ...(layoutContentId !== undefined && { layoutContentId }),
});

const experience = (id: string, ...stepIds: string[]) => ({
  id,
  key: `key-${id}`,
  name: `Name ${id}`,
  stepIds,
});

/** A workspace with one entry, `home`, and the project `shop`. */
function workspace(project: Partial<Project>, more: Parts = {}): Parts {
  return {
    models: [{ id: "m", key: "page", name: "Page", fields: [] }],
    entries: [{ id: "home", modelId: "m", data: {} }],
    projects: [{ id: "shop", name: "Shop", steps: [], experiences: [], ...project }],
    ...more,
  };
}

describe.each(SURFACES)("on the %s surface", (surface) => {
  const configOf = (...workspaces: Parts[]) =>
    documentOn(new TestBed(...workspaces), surface, CONFIG, "w");

  it("C1: the members are id, versionId, fields, steps and experiences", () => {
    const config = configOf(workspace({ steps: [step("a", "home")] }));
    expect(Object.keys(config).sort()).toEqual([
      "experiences",
      "fields",
      "id",
      "steps",
      "versionId",
    ]);
    expect(config.id).toBe("shop");
  });

  it("service.md: a step is { id, key, name, layoutName, layoutContentId }", () => {
    expect(configOf(workspace({ steps: [step("a", "home")] })).steps).toEqual([
      {
        id: "a",
        key: "key-a",
        name: "Name a",
        layoutName: "layout-a",
        layoutContentId: "home",
      },
    ]);
  });

  it("C2: layoutContentId is null when none is set", () => {
    expect(configOf(workspace({ steps: [step("a")] })).steps[0].layoutContentId).toBeNull();
  });

  it("C2: layoutContentId is null when that entry does not exist in this workspace", () => {
    const neighbour: Parts = { id: "n", entries: [{ id: "theirs", modelId: "m", data: {} }] };
    const shop = workspace({ steps: [step("a", "deleted"), step("b", "theirs")] });
    const { steps } = configOf(shop, neighbour);
    expect(steps.map((one: Project["steps"][0]) => one.layoutContentId)).toEqual([null, null]);
  });

  it("C2: layoutContentId stays when the entry exists and only its model does not", () => {
    const config = configOf(workspace({ steps: [step("a", "home")] }, { models: [] }));
    expect(config.steps[0].layoutContentId).toBe("home");
  });

  it("C2: an experience is { id, key, name, stepIds }, stepIds in authored order", () => {
    const steps = [step("a"), step("b"), step("c")];
    const experiences = [experience("tour", "c", "a", "b")];
    expect(configOf(workspace({ steps, experiences })).experiences).toEqual([
      { id: "tour", key: "key-tour", name: "Name tour", stepIds: ["c", "a", "b"] },
    ]);
  });

  it("C2: stepIds are only of steps that exist", () => {
    const experiences = [experience("tour", "deleted", "a", "constructor")];
    const config = configOf(workspace({ steps: [step("a")], experiences }));
    expect(config.experiences[0].stepIds).toEqual(["a"]);
  });

  it("C2: steps[] and experiences[] are in authored order", () => {
    const project = {
      steps: [step("b"), step("B"), step("a")],
      experiences: [experience("y"), experience("z"), experience("x")],
    };
    const config = configOf(workspace(project));
    expect(config.steps.map(({ id }: Project) => id)).toEqual(["b", "B", "a"]);
    expect(config.experiences.map(({ id }: Project) => id)).toEqual(["y", "z", "x"]);
  });

  it("C1: fields are the project field values, served like an entry's data", () => {
    const fields = [
      { key: "title", type: "text" },
      { key: "subtitle", type: "text" },
      { key: "hours", type: "text", repeatable: true },
      { key: "start", type: "reference" },
      { key: "footer", type: "content-block", repeatable: true },
    ];
    const note = { id: "b-note", key: "note", name: "Note", fields: [{ key: "t", type: "text" }] };
    const stored = {
      title: "Shop",
      start: { contentEntryId: "home" },
      footer: [
        { contentBlockId: "b-note", data: { t: "Hi", other: 1 } },
        { contentBlockId: "b-deleted", data: {} },
      ],
      formerly: "of a field that is gone",
    };
    const config = configOf(workspace({ fields: stored }, { fields, blocks: [note] }));
    expect(config.fields).toEqual({
      title: "Shop",
      hours: [],
      start: { contentEntryId: "home", contentModelKey: "page" },
      footer: [{ contentBlockId: "b-note", contentBlockKey: "note", data: { t: "Hi" } }],
    });
  });

  it("C1: fields is an object when the workspace defines no project fields", () => {
    expect(configOf(workspace({ fields: { title: "Shop" } })).fields).toEqual({});
  });
});
