import { describe, expect, it } from "vitest";
import type { Project } from "../../src/workspace/records.ts";
import type { Parts } from "../support/test-bed.ts";
import { diffOf } from "./differ.ts";

const step = (id: string, key: string, name = `Step ${key}`) => ({
  id,
  key,
  name,
  layoutName: "Plain",
});
const PROJECT: Project = {
  id: "p",
  name: "P",
  fields: { slogan: "Old", links: [{ contentEntryId: "a" }, { contentEntryId: "b" }] },
  steps: [step("s1", "intro"), step("s2", "middle"), step("s3", "end")],
  experiences: [
    { id: "x1", key: "tour", name: "The tour", stepIds: ["s1", "s2"] },
    { id: "x2", key: "trip", name: "The trip", stepIds: [] },
  ],
};
const BASE: Parts = {
  fields: [
    { key: "slogan", type: "text" },
    { key: "links", type: "reference", repeatable: true },
  ],
  entries: ["a", "b"].map((id) => ({ id, modelId: "m-gone", data: {} })),
};
const [S1, S2, S3] = PROJECT.steps as [
  Project["steps"][0],
  Project["steps"][0],
  Project["steps"][0],
];
const [X1, X2] = PROJECT.experiences as [Project["experiences"][0], Project["experiences"][0]];

/** The config changes of the project. */
function configOf(change: Partial<Project>) {
  const other = { ...PROJECT, id: "q" };
  const world = (project: Project): Parts => ({ ...BASE, projects: [project, other] });
  const { config, documents, entries } = diffOf(
    world(PROJECT),
    world({ ...PROJECT, ...change }),
  ).forth;
  for (const { projectId } of config) expect(projectId).toBe("p");
  expect(entries.filter((one) => one.change === "changed")).toEqual([]);
  const isListed = documents.some(({ path }) => path === "api/v1/projects/p/index.json");
  expect(isListed, "the config document is listed with its changes").toBe(config.length > 0);
  return config.map(({ projectId: _, place: _place, ...change }) => change);
}

describe("a project's config: only what differs", () => {
  const at = (kind: string, id: string, key: string, name: string) => ({ kind, id, key, name });

  it("no changes between equal configs; a project's name is not served", () => {
    expect(configOf({})).toEqual([]);
    expect(configOf({ name: "Other" })).toEqual([]);
  });

  it("project fields by path", () => {
    const fields = { slogan: "New", links: [{ contentEntryId: "b" }] };
    const here = { kind: "project-fields", id: "p" };
    expect(configOf({ fields })).toEqual([
      { at: here, path: "/slogan", change: "changed", before: "Old", after: "New" },
      {
        at: here,
        path: "/links/0",
        change: "removed",
        before: expect.objectContaining({ contentEntryId: "a" }),
      },
    ]);
  });

  it("a step by its id, with its new key and name", () => {
    const changed = { ...S2, key: "centre", name: "Centre", layoutContentId: "a" };
    const here = at("step", "s2", "centre", "Centre");
    const changes = configOf({ steps: [S1, changed, S3] });
    expect(changes).toEqual([
      { at: here, path: "/key", change: "changed", before: "middle", after: "centre" },
      { at: here, path: "/layoutContentId", change: "changed", before: null, after: "a" },
      { at: here, path: "/name", change: "changed", before: "Step middle", after: "Centre" },
    ]);
  });

  it("a removed or added step as one change, and no others", () => {
    const served = (one: object) => ({ ...one, layoutContentId: null });
    expect(configOf({ steps: [step("s0", "new"), S1, S2] })).toEqual([
      {
        at: at("step", "s3", "end", "Step end"),
        path: "",
        change: "removed",
        before: served(S3),
      },
      {
        at: at("step", "s0", "new", "Step new"),
        path: "",
        change: "added",
        after: served(step("s0", "new")),
      },
    ]);
  });

  it("a new order of steps or experiences as one change", () => {
    const project = { kind: "project", id: "p" };
    expect(configOf({ steps: [S3, S1, S2], experiences: [X2, X1] })).toEqual([
      {
        at: project,
        path: "/steps",
        change: "changed",
        before: ["s1", "s2", "s3"],
        after: ["s3", "s1", "s2"],
      },
      {
        at: project,
        path: "/experiences",
        change: "changed",
        before: ["x1", "x2"],
        after: ["x2", "x1"],
      },
    ]);
  });

  it("an experience by its id, with its key and name: its steps by what was added or removed", () => {
    const here = at("experience", "x1", "tour", "The tour");
    expect(configOf({ experiences: [{ ...X1, stepIds: ["s3", "s1", "s2"] }, X2] })).toEqual([
      { at: here, path: "/stepIds/0", change: "added", after: "s3" },
    ]);
    expect(configOf({ experiences: [{ ...X1, stepIds: ["s2"] }, X2] })).toEqual([
      { at: here, path: "/stepIds/0", change: "removed", before: "s1" },
    ]);
  });
});
