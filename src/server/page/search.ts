import type { DraftState } from "./draft-state.ts";
import { type IndexedEntry, textOf } from "./entry-index.ts";
import type { EntrySummary } from "./entry-summary.ts";

export interface Found extends EntrySummary {
  /** A little of the text around what was found; absent when the title or the id shows it. */
  readonly excerpt?: string;
}

export interface SearchResult {
  /** How many entries there are in all. */
  readonly total: number;
  readonly offset: number;
  readonly entries: readonly Found[];
}

/** How many entries one answer lists. */
const MOST = 200;
/** How many characters of an excerpt stand before what was found, and in all. */
const [BEFORE, LENGTH] = [16, 140];

/**
 * The entries that hold every word of the query, in any letter case: those whose id or title has
 * it first, each group in order of the ids. No words: every entry.
 *
 * @param offset How many to pass over.
 */
export function search(state: DraftState, query: string, offset: number): SearchResult {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = state.index.filter(({ folded }) => words.every((word) => folded.includes(word)));
  const inName = (entry: IndexedEntry) =>
    words.every((word) => `${entry.id} ${entry.title}`.toLowerCase().includes(word));
  const inOrder =
    words.length === 0
      ? found
      : [...found.filter(inName), ...found.filter((entry) => !inName(entry))];
  return {
    total: inOrder.length,
    offset,
    entries: inOrder.slice(offset, offset + MOST).map((entry) => {
      const { id, modelKey, title } = entry;
      const excerpt = inName(entry) ? undefined : excerptOf(state, entry, words);
      return { id, modelKey, title, ...(excerpt !== undefined && { excerpt }) };
    }),
  };
}

function excerptOf(
  { draft }: DraftState,
  { id, folded }: IndexedEntry,
  words: readonly string[],
): string | undefined {
  const entry = draft.entry(id);
  if (entry === undefined) return undefined;
  const text = textOf(entry);
  const start = id.length + 1;
  const places = words.map((word) => folded.indexOf(word, start)).filter((at) => at >= 0);
  const from = Math.max(start, Math.min(...places) - BEFORE);
  const part = text
    .slice(from, from + LENGTH)
    .replaceAll("\n", " · ")
    .replace(/\s+/g, " ");
  const isWhole = from + LENGTH >= text.length;
  return `${from > start ? "…" : ""}${part.toWellFormed()}${isWhole ? "" : "…"}`;
}
