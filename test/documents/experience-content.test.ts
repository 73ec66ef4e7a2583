import { describe, expect, it } from "vitest";
import type { Entry, Project, Step } from "../../src/workspace/records.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";

const TOUR = { kind: "content", projectId: "p", experienceId: "tour" } as const;

const page = (id: string): Entry => ({ id, modelId: "m", data: { title: `Title ${id}` } });

/** Steps by id, each with the entry that it shows, or null. */
function stepsShowing(entries: Record<string, string | null>): Step[] {
  return Object.entries(entries).map(([id, layoutContentId]) => ({
    id,
    key: id,
    name: id,
    layoutName: "Plain",
    ...(layoutContentId !== null && { layoutContentId }),
  }));
}

/** Pages `a`, `b` and `c`; a project `p` with these steps, and `tour` through these of them. */
function workspace(
  steps: Record<string, string | null>,
  stepIds: readonly string[],
  more: Parts = {},
): Parts {
  const tour = { id: "tour", key: "key", name: "Tour", stepIds };
  const project: Project = {
    id: "p",
    name: "P",
    steps: stepsShowing(steps),
    experiences: [tour, { ...tour, id: "other", key: "other", stepIds: ["s1"] }],
  };
  return {
    models: [{ id: "m", key: "page", name: "Page", fields: [{ key: "title", type: "text" }] }],
    entries: [page("a"), page("b"), page("c")],
    projects: [project],
    ...more,
  };
}

describe.each(SURFACES)("on the %s surface", (surface) => {
  const contentOf = (...workspaces: Parts[]) =>
    documentOn(new TestBed(...workspaces), surface, TOUR, "w");
  const idsIn = (...workspaces: Parts[]) =>
    contentOf(...workspaces).content.map(({ id }: Entry) => id);

  it("service.md: the members are experienceId, versionId, content and references", () => {
    expect(contentOf(workspace({ s1: "a" }, ["s1"]))).toEqual({
      experienceId: "tour",
      versionId: null,
      content: [{ id: "a", contentModelKey: "page", data: { title: "Title a" } }],
      references: [],
    });
  });

  it("E1: content[] is in the order of the experience's steps", () => {
    const ids = idsIn(workspace({ s1: "a", s2: "b", s3: "c" }, ["s3", "s1", "s2"]));
    expect(ids).toEqual(["c", "a", "b"]);
  });

  it("E1: an entry of two steps is in content[] once, at its first place", () => {
    const steps = { s1: "a", s2: "b", s3: "a" };
    expect(idsIn(workspace(steps, ["s3", "s2", "s1", "s2"]))).toEqual(["a", "b"]);
  });

  it("E1: steps with no existing entry add nothing", () => {
    const neighbour: Parts = { id: "n", entries: [page("theirs")] };
    const steps = { none: null, gone: "deleted", other: "theirs", s1: "b" };
    const parts = workspace(steps, ["none", "gone", "other", "no-such-step", "s1"]);
    expect(idsIn(parts, neighbour)).toEqual(["b"]);
  });

  it("E6: an experience none of whose steps has an existing entry has no content", () => {
    const steps = { none: null, gone: "deleted", s1: "a" };
    expect(contentOf(workspace(steps, []))).toBeUndefined();
    expect(contentOf(workspace(steps, ["none", "gone", "no-such-step"]))).toBeUndefined();
  });

  it("service.md: an experience is found only in its own project", () => {
    const bed = new TestBed(workspace({ s1: "a" }, ["s1"]));
    const elsewhere = { ...TOUR, projectId: "q" };
    expect(documentOn(bed, surface, elsewhere)).toBeUndefined();
    expect(documentOn(bed, surface, { ...TOUR, experienceId: "x" })).toBeUndefined();
  });
});

it("E6: the file of an experience that has lost its content is removed", () => {
  const bed = new TestBed(workspace({ s1: "a", s2: "b" }, ["s2"]));
  bed.publish();
  expect(bed.file(TOUR).content).toHaveLength(1);
  bed.import(workspace({ s1: "a", s2: "b" }, ["s2"], { entries: [page("a")] }));
  bed.publish();
  expect(bed.file(TOUR)).toBeUndefined();
});
