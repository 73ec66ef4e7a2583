import type { EntryNumber } from "./entry-lookup.ts";
import type { Rendering } from "./rendering.ts";

/** References are resolved to this depth, counted from the entries in `content[]`. */
export const MAXIMUM_DEPTH = 5;

/** A pointer whose target exists but is further away than the maximum depth. */
export interface TooDeep {
  readonly entry: EntryNumber;
  /** The number of the JSON Pointer into the entry's stored data. */
  readonly path: number;
  readonly target: EntryNumber;
}

export interface Reached {
  /** Sorted by id (E5). */
  readonly references: readonly EntryNumber[];
  readonly tooDeep: readonly TooDeep[];
}

/** The walk that visited each entry last, in memory that all walks share. */
let marks = new Int32Array(0);
let walk = 0;

/**
 * E2: every existing entry, in its form of a language, whose shortest distance from `content` is 1 to 5, each once.
 *
 * Breadth-first: the first visit of an entry is on a shortest path, in any order of fields and
 * entries. (Depth-first with one visited set would lose entries whose first path is too long.)
 */
export function reach(
  content: readonly EntryNumber[],
  language: number,
  rendering: Rendering,
): Reached {
  const { forms } = rendering.table;
  if (marks.length < rendering.table.size || walk === MOST_WALKS) {
    marks = new Int32Array(Math.ceil(1.2 * rendering.table.size));
    walk = 0;
  }
  walk += 1;
  const listed = [...content];
  for (const entry of content) marks[entry] = walk;
  let next = 0;
  for (let depth = 1; depth <= MAXIMUM_DEPTH && next < listed.length; depth += 1) {
    for (const end = listed.length; next < end; next += 1) {
      const pointers = rendering.pointersOf(listed[next] as EntryNumber);
      for (let at = 0; at < pointers.length; at += 2) {
        const entry = pointers[at] as number;
        if (entry < 0) continue;
        const target = forms.in(language, entry);
        if (marks[target] === walk) continue;
        marks[target] = walk;
        listed.push(target);
      }
    }
  }
  const tooDeep: TooDeep[] = [];
  for (; next < listed.length; next += 1) {
    const entry = listed[next] as EntryNumber;
    const pointers = rendering.pointersOf(entry);
    for (let at = 0; at < pointers.length; at += 2) {
      const target = pointers[at] as number;
      if (target < 0 || marks[forms.in(language, target)] === walk) continue;
      tooDeep.push({ entry, path: pointers[at + 1] as number, target });
    }
  }
  return { references: rendering.table.inOrderOfIds(listed.slice(content.length)), tooDeep };
}

const MOST_WALKS = 2 ** 31 - 1;
