import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/workspace/records.ts";
import { randomRuns } from "../support/random-runs.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";
import { GRAPH_CONTENT, NODE, reachedFrom, referenceGraph } from "./reference-graph.ts";

const CHAIN = { d0: ["d1"], d1: ["d2"], d2: ["d3"], d3: ["d4"], d4: ["d5"], d5: ["d6"], d6: [] };

/**
 * `near` is 5 pointers away on the long path and 1 on the short one. A depth-first walk with one
 * visited set that takes the long path first marks `near` at depth 5, and loses its targets.
 */
const TWO_WAYS = {
  home: ["far1", "near"],
  far1: ["far2"],
  far2: ["far3"],
  far3: ["far4"],
  far4: ["near"],
  near: ["n2"],
  n2: ["n3"],
  n3: ["n4"],
  n4: ["n5"],
  n5: ["n6"],
  n6: [],
};
const REACHED_BY_TWO_WAYS = ["far1", "far2", "far3", "far4", "n2", "n3", "n4", "n5", "near"];

const reversed = (pointers: Record<string, readonly string[]>) =>
  Object.fromEntries(
    Object.entries(pointers)
      .reverse()
      .map(([id, targets]) => [id, [...targets].reverse()]),
  );

describe.each(SURFACES)("on the %s surface", (surface) => {
  const contentOf = (...workspaces: Parts[]) =>
    documentOn(new TestBed(...workspaces), surface, GRAPH_CONTENT, "w");
  const referencesOf = (pointers: Record<string, readonly string[]>, shown: readonly string[]) =>
    contentOf(referenceGraph(pointers, shown)).references.map(({ id }: Entry) => id);
  const pointersFrom = (content: { content: Entry[]; references: Entry[] }, id: string) =>
    [...content.content, ...content.references].find((entry) => entry.id === id)?.data.links;

  it("E2: existing entries of depth 1 to 5 are in references[], deeper ones are not", () => {
    expect(referencesOf(CHAIN, ["d0"])).toEqual(["d1", "d2", "d3", "d4", "d5"]);
  });

  it("service.md, reference resolution 2: beyond a depth of 5 the pointer stays, with its contentModelKey", () => {
    const content = contentOf(referenceGraph(CHAIN, ["d0"]));
    expect(pointersFrom(content, "d5")).toEqual([
      { contentEntryId: "d6", contentModelKey: "node" },
    ]);
  });

  it("service.md, reference resolution 2: target was deleted: the pointer stays, the entry is absent", () => {
    const content = contentOf(referenceGraph({ a: ["deleted"] }, ["a"]));
    expect(pointersFrom(content, "a")).toEqual([{ contentEntryId: "deleted" }]);
    expect(content.references).toEqual([]);
  });

  it("service.md, reference resolution 2: target is in another workspace: the pointer stays, the entry is absent", () => {
    const theirs = { ...referenceGraph({ theirs: [] }, []), id: "n", projects: [] };
    const content = contentOf(referenceGraph({ a: ["theirs"] }, ["a"]), theirs);
    expect(pointersFrom(content, "a")).toEqual([{ contentEntryId: "theirs" }]);
    expect(content.references).toEqual([]);
  });

  it("E4: where a chain forms a cycle, an entry is listed once, the pointer stays", () => {
    const content = contentOf(referenceGraph({ a: ["b", "a"], b: ["c"], c: ["a", "b"] }, ["a"]));
    expect(content.content.map(({ id }: Entry) => id)).toEqual(["a"]);
    expect(content.references.map(({ id }: Entry) => id)).toEqual(["b", "c"]);
    expect(pointersFrom(content, "c")).toEqual([
      { contentEntryId: "a", contentModelKey: "node" },
      { contentEntryId: "b", contentModelKey: "node" },
    ]);
  });

  it("service.md: references[] holds each entry once, however many fields point at it", () => {
    const content = contentOf(referenceGraph({ a: ["c", "b", "c"], b: ["c"], c: ["b"] }, ["a"]));
    expect(content.references.map(({ id }: Entry) => id)).toEqual(["b", "c"]);
    expect(pointersFrom(content, "a")).toEqual(
      ["c", "b", "c"].map((id) => ({ contentEntryId: id, contentModelKey: "node" })),
    );
  });

  it("service.md: references[] omits entries that are already in content[]", () => {
    expect(referencesOf({ a: ["b", "c"], b: ["a"], c: ["b"] }, ["a", "b"])).toEqual(["c"]);
  });

  it("E2: depth is the shortest distance from content[], not the length of the first path found", () => {
    expect(referencesOf(TWO_WAYS, ["home"])).toEqual(REACHED_BY_TWO_WAYS);
    expect(referencesOf(reversed(TWO_WAYS), ["home"])).toEqual(REACHED_BY_TWO_WAYS);
  });

  it("E2: depth is counted from the nearest entry of content[], in whichever step it is", () => {
    expect(referencesOf(CHAIN, ["d0", "d3"])).toEqual(["d1", "d2", "d4", "d5", "d6"]);
    expect(referencesOf(CHAIN, ["d3", "d0"])).toEqual(["d1", "d2", "d4", "d5", "d6"]);
  });

  it("E5: references[] is sorted by id by code unit, never by a locale's order", () => {
    const sorted = ["-a", "10", "9", "A", "B", "Z", "_a", "a", "a-b", "a.b", "aB", "ab", "b"];
    const pointers = Object.fromEntries(sorted.map((id) => [id, []]));
    const start = sorted.toReversed();
    expect(referencesOf({ ...pointers, start }, ["start"])).toEqual(sorted);
  });

  it("V7: contentModelKey is absent when the target's model does not exist; the entry is there", () => {
    const parts = referenceGraph({ a: ["b"] }, ["a"]);
    const b = { id: "b", modelId: "mdl-deleted", data: { links: [{ contentEntryId: "a" }] } };
    const content = contentOf({ ...parts, entries: [...(parts.entries ?? []), b] });
    expect(pointersFrom(content, "a")).toEqual([{ contentEntryId: "b" }]);
    expect(content.references).toEqual([{ id: "b", contentModelKey: null, data: {} }]);
  });

  it("V7: a served pointer has neither data nor other stored members", () => {
    const parts = referenceGraph({ b: [] }, ["a"]);
    const links = [{ contentEntryId: "b", contentModelKey: "wrong", data: { x: 1 }, note: "n" }];
    const a = { id: "a", modelId: NODE.id, data: { links } };
    const content = contentOf({ ...parts, entries: [...(parts.entries ?? []), a] });
    expect(pointersFrom(content, "a")).toEqual([{ contentEntryId: "b", contentModelKey: "node" }]);
  });
});

it("E2: whatever the graph, and in any order of fields, steps and rows, the same entries", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
  const random = fc.record({
    jumps: fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids, "gone")), {
      maxLength: 8,
    }),
    shown: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 2 }),
  });
  const bed = new TestBed();
  const referencesIn = (pointers: Record<string, string[]>, shown: string[]) => {
    bed.import(referenceGraph(pointers, shown));
    return documentOn(bed, "preview", GRAPH_CONTENT).references.map(({ id }: Entry) => id);
  };
  const law = fc.property(random, ({ jumps, shown }) => {
    const pointers = Object.fromEntries(ids.map((id, i) => [id, ids.slice(i + 1, i + 2)]));
    for (const [from, to] of jumps) pointers[from]?.push(to);
    const expected = reachedFrom(shown, pointers);
    expect(referencesIn(pointers, shown)).toEqual(expected);
    expect(referencesIn(reversed(pointers), shown.toReversed())).toEqual(expected);
  });
  fc.assert(law, { numRuns: randomRuns(200) });
});
