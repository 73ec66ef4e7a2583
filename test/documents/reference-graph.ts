import type { Model } from "../../src/workspace/records.ts";
import type { Parts } from "../support/test-bed.ts";

/** A model whose entries only point at others. */
export const NODE: Model = {
  id: "mdl-node",
  key: "node",
  name: "Node",
  fields: [{ key: "links", type: "reference", repeatable: true }],
};

export const GRAPH_CONTENT = { kind: "content", projectId: "p", experienceId: "x" } as const;

/**
 * A workspace of entries that point at others, `{ home: ["about"], about: [] }`, and an experience
 * `x` of the project `p` with a step for each of the entries that are shown.
 */
export function referenceGraph(
  pointers: Readonly<Record<string, readonly string[]>>,
  shown: readonly string[],
): Parts {
  const steps = shown.map((layoutContentId, index) => ({
    id: `s${index}`,
    key: `step${index}`,
    name: "Step",
    layoutName: "Plain",
    layoutContentId,
  }));
  const stepIds = steps.map(({ id }) => id);
  return {
    models: [NODE],
    entries: Object.entries(pointers).map(([id, targets]) => ({
      id,
      modelId: NODE.id,
      data: { links: targets.map((contentEntryId) => ({ contentEntryId })) },
    })),
    projects: [
      { id: "p", name: "P", steps, experiences: [{ id: "x", key: "x", name: "X", stepIds }] },
    ],
  };
}

/** The shortest distance between any two nodes (Floyd–Warshall). */
function distances(
  pointers: Readonly<Record<string, readonly string[]>>,
): (from: string, to: string) => number {
  const nodes = Object.keys(pointers);
  const length = new Map<string, number>();
  const between = (from: string, to: string) =>
    from === to ? 0 : (length.get(`${from} ${to}`) ?? Number.POSITIVE_INFINITY);
  for (const [from, targets] of Object.entries(pointers)) {
    for (const to of targets) length.set(`${from} ${to}`, 1);
  }
  for (const over of nodes) {
    for (const from of nodes) {
      for (const to of nodes) {
        const detour = between(from, over) + between(over, to);
        if (detour < between(from, to)) length.set(`${from} ${to}`, detour);
      }
    }
  }
  return between;
}

/** E2: `references[]`, sorted by code unit, for these entries in `content[]`. */
export function reachedFrom(
  content: readonly string[],
  pointers: Readonly<Record<string, readonly string[]>>,
): string[] {
  const between = distances(pointers);
  return Object.keys(pointers)
    .filter((id) => {
      const depth = Math.min(...content.map((from) => between(from, id)));
      return depth >= 1 && depth <= 5;
    })
    .sort();
}
