import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/workspace/records.ts";
import { randomRuns } from "../support/random-runs.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";
import { GRAPH_CONTENT, NODE, reachedFrom, referenceGraph } from "./reference-graph.ts";

const CHAIN = { d0: ["d1"], d1: ["d2"], d2: ["d3"], d3: ["d4"], d4: ["d5"], d5: ["d6"], d6: [] };

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

  it("V7: an entry of this workspace is the target, although another one has that id", () => {
    const theirs = { ...referenceGraph({ b: [] }, []), id: "n", projects: [], models: [] };
    const content = contentOf(theirs, referenceGraph({ a: ["b"], b: [] }, ["a"]));
    expect(pointersFrom(content, "a")).toEqual([{ contentEntryId: "b", contentModelKey: "node" }]);
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

  it("E5: references[] is sorted by id by code unit, never by a locale's order", () => {
    const sorted = ["-a", "10", "9", "A", "B", "Z", "_a", "a", "a-b", "a.b", "aB", "ab", "b"];
    const pointers = Object.fromEntries(sorted.map((id) => [id, []]));
    const start = sorted.toReversed();
    expect(referencesOf({ ...pointers, start }, ["start"])).toEqual(sorted);
  });

  it("V7, V9: contentModelKey is absent when the target's model does not exist; the entry is there", () => {
    const parts = referenceGraph({ a: ["b"], c: [] }, ["a"]);
    const b = { id: "b", modelId: "mdl-deleted", data: { links: [{ contentEntryId: "c" }] } };
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
