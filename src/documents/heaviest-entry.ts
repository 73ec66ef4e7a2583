import type { EntryNumber } from "./entry-lookup.ts";
import { MAXIMUM_DEPTH } from "./references.ts";
import type { Rendering } from "./rendering.ts";

/**
 * P6: the entry through which most of a document is reached, each entry counted by its shortest path
 * from `content`: the last one on the way down through which more than half of the bytes are.
 *
 * @param content not empty
 */
export function heaviestEntry(
  content: readonly EntryNumber[],
  language: number,
  rendering: Rendering,
): { entry: EntryNumber; bytes: number } {
  const { forms } = rendering.table;
  const listed = [...content];
  /** The index in `listed` of the entry that led to each. */
  const parents = content.map(() => -1);
  const known = new Set(content);
  let next = 0;
  for (let depth = 1; depth <= MAXIMUM_DEPTH; depth += 1) {
    for (const end = listed.length; next < end; next += 1) {
      const pointers = rendering.pointersOf(listed[next] as EntryNumber);
      for (let at = 0; at < pointers.length; at += 2) {
        const entry = pointers[at] as number;
        if (entry < 0) continue;
        const target = forms.in(language, entry);
        if (known.has(target)) continue;
        known.add(target);
        listed.push(target);
        parents.push(next);
      }
    }
  }
  const bytes = listed.map((entry) => rendering.sizeOf(entry));
  const total = bytes.reduce((sum, size) => sum + size, 0);
  for (let at = listed.length - 1; at >= content.length; at -= 1) {
    (bytes[parents[at] as number] as number) += bytes[at] as number;
  }
  let heaviest = 0;
  for (let at = 1; at < content.length; at += 1) {
    if ((bytes[at] as number) > (bytes[heaviest] as number)) heaviest = at;
  }
  // What an entry leads to is listed after it.
  for (let at = content.length; at < listed.length; at += 1) {
    if (parents[at] === heaviest && (bytes[at] as number) > total / 2) heaviest = at;
  }
  return { entry: listed[heaviest] as EntryNumber, bytes: bytes[heaviest] as number };
}
