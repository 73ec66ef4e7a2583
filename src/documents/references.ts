import type { LargeDocument } from "../workspace/problem-catalogue.ts";
import { LARGEST_CONTENT } from "./document.ts";
import type { RenderedEntry } from "./entry.ts";
import type { Rendering } from "./rendering.ts";

/** References are resolved to this depth, counted from the entries in `content[]`. */
export const MAXIMUM_DEPTH = 5;

/** A pointer whose target exists but is further away than the maximum depth. */
export interface TooDeep {
  readonly entry: RenderedEntry;
  /** JSON Pointer into the entry's stored data. */
  readonly path: string;
  readonly target: string;
}

/** The entries that one experience shows, in one language. */
export interface ShownEntries {
  /** Of its steps, in their order. */
  readonly content: readonly RenderedEntry[];
  /** E2, E5: sorted by id. */
  readonly references: readonly RenderedEntry[];
  readonly tooDeep: readonly TooDeep[];
}

/**
 * E2, E4: every existing entry whose shortest distance from `content` is 1 to 5, each once; and the
 * pointers that lead further.
 */
export function reach(
  content: readonly RenderedEntry[],
  language: number,
  rendering: Rendering,
): ShownEntries {
  const { listed, known, last } = walk(content, language, rendering);
  const tooDeep: TooDeep[] = [];
  for (const entry of listed.slice(last)) {
    for (const { path, target } of entry.pointers) {
      const found = rendering.shown(target, language);
      if (found !== undefined && !known.has(found)) tooDeep.push({ entry, path, target });
    }
  }
  const references = listed.slice(content.length);
  references.sort((a, b) => (a.head.id < b.head.id ? -1 : 1));
  return { content, references, tooDeep };
}

/**
 * Breadth-first: the first visit of an entry is on a shortest path, in any order of fields and
 * entries. (Depth-first with one visited set would lose entries whose first path is too long.)
 *
 * @returns the entries, the nearest first, with the index of the one that led to each (-1: `content`) and
 *   the path of the field whose query did (undefined: none);
 *   from `last` on they are at the maximum depth. P6b: the walk ends where they are too much for a document.
 */
function walk(content: readonly RenderedEntry[], language: number, rendering: Rendering) {
  const listed = [...content];
  const known = new Set(content);
  const parents = content.map(() => -1);
  const lists: (string | undefined)[] = content.map(() => undefined);
  let last = 0;
  let size = content.reduce((sum, entry) => sum + entry.size, 0);
  for (let depth = 1; depth <= MAXIMUM_DEPTH && last < listed.length; depth += 1) {
    for (const end = listed.length; last < end; last += 1) {
      for (const { target, path, isFound } of (listed[last] as RenderedEntry).pointers) {
        const entry = rendering.shown(target, language);
        if (entry === undefined || known.has(entry)) continue;
        if (size > LARGEST_CONTENT) return { listed, known, parents, lists, last: listed.length };
        size += entry.size;
        known.add(entry);
        listed.push(entry);
        parents.push(last);
        lists.push(isFound ? path : undefined);
      }
    }
  }
  return { listed, known, parents, lists, last };
}

/**
 * P6a: the entry through which most of a document is reached, each entry counted by its shortest path
 * from `content`: the last one on the way down through which more than half of the bytes are; and the
 * field whose query finds the entries through which more than half are, if there is one.
 *
 * @param content not empty
 */
export function heaviestEntry(
  content: readonly RenderedEntry[],
  language: number,
  rendering: Rendering,
): NonNullable<LargeDocument["through"]> {
  const { listed, parents, lists } = walk(content, language, rendering);
  const bytes = listed.map(({ size }) => size);
  const total = bytes.reduce((sum, size) => sum + size, 0);
  // What an entry leads to is listed after it.
  for (let at = listed.length - 1; at >= content.length; at -= 1) {
    (bytes[parents[at] as number] as number) += bytes[at] as number;
  }
  let heaviest = 0;
  for (let at = 1; at < content.length; at += 1) {
    if ((bytes[at] as number) > (bytes[heaviest] as number)) heaviest = at;
  }
  for (let at = content.length; at < listed.length; at += 1) {
    if (parents[at] === heaviest && (bytes[at] as number) > total / 2) heaviest = at;
  }
  const entry = (listed[heaviest] as RenderedEntry).head.id;
  const found = [...listed.keys()].filter((at) => parents[at] === heaviest);
  for (const [path, own] of Map.groupBy(found, (at) => lists[at])) {
    const ofList = own.reduce((sum, at) => sum + (bytes[at] as number), 0);
    if (path !== undefined && ofList > total / 2) {
      return { entry, bytes: ofList, list: { path, count: own.length } };
    }
  }
  return { entry, bytes: bytes[heaviest] as number };
}
