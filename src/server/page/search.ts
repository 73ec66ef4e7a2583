import { entryOf } from "../../workspace/draft.ts";
import type { DraftState } from "./draft-state.ts";
import { type IndexedEntry, textOf } from "./entry-index.ts";
import type { EntrySummary } from "./entry-summary.ts";
import { placeOfText, type TextPlace } from "./text-place.ts";

export interface Match extends EntrySummary {
  /** The text around the first match; absent when the title or id contains every word. */
  readonly excerpt?: string;
  /** Of the first match, with `excerpt`. */
  readonly place?: TextPlace;
}

export interface SearchResult {
  /** The number of matches, not only of those returned. */
  readonly total: number;
  readonly offset: number;
  readonly entries: readonly Match[];
}

/** How many entries are returned at once. */
const PAGE_SIZE = 200;
/** The characters of an excerpt before the match, and in total. */
const [BEFORE, LENGTH] = [16, 140];

/**
 * The entries that contain every word of the query, ignoring case: first those that have all words
 * in id or title, each group ordered by id. An empty query matches every entry.
 *
 * @param offset the number of matches to skip
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
    entries: inOrder.slice(offset, offset + PAGE_SIZE).map((entry) => {
      const { id, modelKey, title } = entry;
      const excerpt = inName(entry) ? {} : excerptOf(state, entry, words);
      return { id, modelKey, title, hidden: state.hiddenBy(id), ...excerpt };
    }),
  };
}

function excerptOf(
  { draft, models, blocks }: DraftState,
  { id, folded }: IndexedEntry,
  words: readonly string[],
): Pick<Match, "excerpt" | "place"> {
  const entry = entryOf(draft, id);
  if (entry === undefined) return {};
  const text = textOf(entry);
  const start = id.length + 1;
  const places = words.map((word) => folded.indexOf(word, start)).filter((at) => at >= 0);
  const first = Math.min(...places);
  const from = Math.max(start, first - BEFORE);
  const part = text
    .slice(from, from + LENGTH)
    .replaceAll("\n", " · ")
    .replace(/\s+/g, " ");
  const isEnd = from + LENGTH >= text.length;
  return {
    excerpt: `${from > start ? "…" : ""}${part.toWellFormed()}${isEnd ? "" : "…"}`,
    place: placeOfText(entry, first - start, models.get(entry.modelId), blocks),
  };
}
