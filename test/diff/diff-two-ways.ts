import type { Diff } from "../../src/diff/diff.ts";
import type { SchemaChangeCode } from "../../src/diff/schema-change.ts";
import type { Snapshot } from "../../src/diff/snapshot.ts";

const REVERSE: Partial<Record<SchemaChangeCode, SchemaChangeCode>> = {
  ...{ added: "removed", "field-added": "field-removed", "field-required": "field-optional" },
  ...{ "value-added": "value-removed", "target-added": "target-removed" },
  ...{ "block-accepted": "block-refused", "step-model-added": "step-model-removed" },
};
const SWAPPED = new Map(
  Object.entries(REVERSE).flatMap(
    ([a, b]) =>
      [
        [a, b],
        [b, a],
      ] as const,
  ),
);

/** A diff without the parts that have a direction; `isBack`: of the reverse diff. */
export function directionless({ schema, entries, documents, config }: Diff, isBack: boolean) {
  const swapped = { added: "removed", removed: "added", changed: "changed" } as const;
  const change = (one: keyof typeof swapped) => (isBack ? swapped[one] : one);
  return {
    schema: schema
      .map(({ code, at, projects }) => {
        const there = isBack ? (SWAPPED.get(code) ?? code) : code;
        return JSON.stringify([there, at.kind, at.key, at.field, projects]);
      })
      .sort(),
    entries: entries.map(({ id, documents: paths }) => ({ id, paths })),
    documents: documents.map(({ path, content, ...document }) => {
      const lists = [content?.entriesAdded, content?.entriesRemoved];
      const [added, removed] = isBack ? lists.reverse() : lists;
      return { path, change: change(document.change), added, removed };
    }),
    config: new Set(config.map(({ at, projectId }) => `${projectId} ${at.kind} ${at.id}`)),
  };
}

/** The same documents, parsed now: the draft may change. */
export function whole({ documents, document }: Snapshot): Snapshot {
  const parsed = new Map(Array.from(documents.keys(), (path) => [path, document(path)]));
  return { documents, document: (path) => parsed.get(path) ?? document(path) };
}
