import type { Weight } from "../workspace/problem-catalogue.ts";
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
 * @returns the entries, the nearest first, with the index of the one that led to each and the path of
 *   the pointer that did (of `content` -1 and "");
 *   from `last` on they are at the maximum depth. P6b: the walk ends where they are too much for a document.
 */
function walk(content: readonly RenderedEntry[], language: number, rendering: Rendering) {
  const listed = [...content];
  const known = new Set(content);
  const parents = content.map(() => -1);
  const paths = content.map(() => "");
  let last = 0;
  let size = content.reduce((sum, entry) => sum + entry.size, 0);
  for (let depth = 1; depth <= MAXIMUM_DEPTH && last < listed.length; depth += 1) {
    for (const end = listed.length; last < end; last += 1) {
      for (const { target, path } of (listed[last] as RenderedEntry).pointers) {
        const entry = rendering.shown(target, language);
        if (entry === undefined || known.has(entry)) continue;
        if (size > LARGEST_CONTENT) return { listed, known, parents, paths, last: listed.length };
        size += entry.size;
        known.add(entry);
        listed.push(entry);
        parents.push(last);
        paths.push(path);
      }
    }
  }
  return { listed, known, parents, paths, last };
}

/**
 * P6a: the field whose pointers bring most bytes into a document, each entry counted at one shortest path
 * from `content`; or `content` itself, where that is more than any field brings.
 *
 * @param content not empty
 */
export function heaviestField(
  content: readonly RenderedEntry[],
  language: number,
  rendering: Rendering,
): Weight {
  const { listed, parents, paths } = walk(content, language, rendering);
  const fields = new Map<string, { bytes: number; entries: number; holders: Set<string> }>();
  const own = { bytes: 0, entries: content.length };
  for (const [at, { size }] of listed.entries()) {
    const holder = listed[parents[at] as number]?.head;
    if (holder === undefined) {
      own.bytes += size;
      continue;
    }
    const [, key] = (paths[at] as string).split("/");
    const name = `${rendering.lookup.modelKeyOf(holder)}.${key}`;
    const field = fields.get(name) ?? { bytes: 0, entries: 0, holders: new Set() };
    fields.set(name, field);
    field.bytes += size;
    field.entries += 1;
    field.holders.add(holder.id);
  }
  const [most] = [...fields].sort(([, a], [, b]) => b.bytes - a.bytes);
  if (most === undefined || own.bytes >= most[1].bytes) return own;
  const [field, { bytes, entries, holders }] = most;
  const [entry = "", ...others] = holders;
  return { field, bytes, entries, ...(others.length === 0 && { entry }) };
}
