import type { Pointer } from "../fields/serving.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { RenderedEntry, Rendering } from "./rendering.ts";

/** References are resolved to this depth, counted from the entries in `content[]`. */
export const MAXIMUM_DEPTH = 5;

/** A pointer whose target exists but is further away than the maximum depth. */
export interface TooDeep {
  readonly entryId: string;
  readonly pointer: Pointer;
}

export interface Reached {
  /** Sorted by id (E5). */
  readonly references: readonly RenderedEntry[];
  readonly tooDeep: readonly TooDeep[];
}

/**
 * E2: every existing entry whose shortest distance from `content` is 1 to 5, each once.
 *
 * Breadth-first and level by level: an entry is met first on a shortest way, whatever the order
 * of fields and entries. (Depth-first with one visited set would lose entries whose first way
 * found is too long.)
 */
export function reach(content: readonly RenderedEntry[], rendering: Rendering): Reached {
  const listed = new Map(content.map((entry) => [entry.id, entry]));
  let level = content;
  for (let depth = 1; depth <= MAXIMUM_DEPTH && level.length > 0; depth += 1) {
    const next: RenderedEntry[] = [];
    for (const { pointers } of level) {
      for (const { target } of pointers) {
        if (listed.has(target)) continue;
        const entry = rendering.entry(target);
        if (entry === undefined) continue;
        listed.set(target, entry);
        next.push(entry);
      }
    }
    level = next;
  }
  const references = [...listed.values()].slice(content.length);
  return {
    references: references.sort((a, b) => byCodeUnit(a.id, b.id)),
    tooDeep: level.flatMap(({ id, pointers }) =>
      pointers
        .filter(({ target }) => !listed.has(target) && rendering.draft.entryModelId(target))
        .map((pointer) => ({ entryId: id, pointer })),
    ),
  };
}
