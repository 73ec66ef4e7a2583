import type { EntryNumber, Rendering } from "./rendering.ts";

/** References are resolved to this depth, counted from the entries in `content[]`. */
export const MAXIMUM_DEPTH = 5;

/** A pointer whose target exists but is further away than the maximum depth. */
export interface TooDeep {
  readonly entryId: string;
  /** JSON Pointer into the entry's stored data. */
  readonly path: string;
  readonly target: string;
}

export interface Reached {
  /** Sorted by id (E5). */
  readonly references: readonly EntryNumber[];
  /** Entries at the maximum depth that point further, to what is not listed. */
  readonly edge: readonly EntryNumber[];
  readonly isListed: (entry: EntryNumber) => boolean;
}

/**
 * E2: every existing entry whose shortest distance from `content` is 1 to 5, each once.
 *
 * Breadth-first and level by level: an entry is met first on a shortest way, whatever the order
 * of fields and entries. (Depth-first with one visited set would lose entries whose first way
 * found is too long.)
 */
export function reach(content: readonly EntryNumber[], rendering: Rendering): Reached {
  const listed = new Set(content);
  let level = content;
  for (let depth = 1; depth <= MAXIMUM_DEPTH && level.length > 0; depth += 1) {
    const next: EntryNumber[] = [];
    for (const entry of level) {
      for (const target of rendering.pointersOf(entry)) {
        if (listed.has(target)) continue;
        listed.add(target);
        next.push(target);
      }
    }
    level = next;
  }
  const references = [...listed].slice(content.length);
  const isListed = (entry: EntryNumber) => listed.has(entry);
  return {
    references: rendering.inOrderOfIds(references),
    edge: level.filter((entry) => !rendering.pointersOf(entry).every(isListed)),
    isListed,
  };
}

/** The pointers that lead too far, each with its place. */
export function tooDeepPointers({ edge, isListed }: Reached, rendering: Rendering): TooDeep[] {
  return edge.flatMap((entry) =>
    rendering.tracePointers(entry).flatMap(({ path, target }) => {
      const found = rendering.find(target);
      if (found === undefined || isListed(found)) return [];
      return { entryId: rendering.idOf(entry), path, target };
    }),
  );
}
