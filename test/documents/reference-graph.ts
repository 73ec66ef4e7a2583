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
