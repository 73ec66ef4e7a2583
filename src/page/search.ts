import { entryOf } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonValue, jsonPointer, ownMember } from "../workspace/json.ts";
import type { Block, Entry, Model } from "../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import type { EntrySummary } from "./entry-summary.ts";
import { otherHits, type RecordHits } from "./record-hits.ts";
import type { IndexedEntry, SearchIndex } from "./search-index.ts";
import {
  type Excerpt,
  eachText,
  excerptOf,
  folded,
  type Marks,
  marksOf,
  wordsOf,
} from "./search-text.ts";

export interface Match extends EntrySummary {
  /** Of the words in the title. */
  readonly titleMarks: Marks;
  /** The text around the first match; absent when the title contains every word. */
  readonly found?: Excerpt & {
    /** Absent: it is the id. */
    readonly place?: TextPlace;
  };
}

export interface SearchResult {
  readonly query: string;
  readonly total: number;
  readonly offset: number;
  /** Entries. */
  readonly rows: readonly Match[];
  /** H38: what else has every word; with the first matches only. */
  readonly others: readonly RecordHits[];
  /** Of how many entries the texts have been read by now; absent: of all. */
  readonly read?: number;
}

export interface SearchRequest {
  readonly query: string;
  /** How many matches are skipped. */
  readonly offset: number;
  /** How many matches of each kind are answered. */
  readonly most: number;
}

/**
 * H38: the records that have every word of the query: entries that have them in their title first, then
 * those that have them in title and id, each group in order of the titles. An empty query matches every entry.
 */
export function search(
  state: DraftState,
  index: SearchIndex,
  { query, offset, most }: SearchRequest,
): SearchResult {
  const words = wordsOf(query);
  const groups: IndexedEntry[][] = [[], [], [], []];
  for (const entry of index.with(words)) groups[rankOf(entry, words)]?.push(entry);
  const inOrder = groups.flat();
  return {
    query,
    total: inOrder.length,
    offset,
    rows: inOrder.slice(offset, offset + most).map((entry) => matchOf(state, entry, words)),
    others: offset === 0 && words.length > 0 ? otherHits(state, words, most) : [],
    ...(!index.isComplete && { read: index.size }),
  };
}

/** 0: the title begins with them; 1: it has them; 2: with the id; 3: they are in the texts. */
function rankOf({ name, head }: IndexedEntry, words: readonly string[]): number {
  if (words.every((word) => name.includes(word))) return name.startsWith(words[0] ?? "") ? 0 : 1;
  const id = folded(head.id);
  return words.every((word) => name.includes(word) || id.includes(word)) ? 2 : 3;
}

function matchOf(
  state: DraftState,
  { head, title }: IndexedEntry,
  words: readonly string[],
): Match {
  const { id, modelId } = head;
  const { key: modelKey = null, name: modelName = null } = state.models.get(modelId) ?? {};
  const titleMarks = marksOf(title, words);
  const match = { id, modelKey, modelName, title, hidden: state.hiddenBy(id), titleMarks };
  const name = folded(title);
  const missing = words.filter((word) => !name.includes(word));
  if (missing.length === 0) return match;
  const found = foundIn(state, id, missing);
  return { ...match, ...(found && { found }) };
}

/** The first text that has the most of the words. */
function foundIn({ draft, models, blocks }: DraftState, id: string, words: readonly string[]) {
  const entry = entryOf(draft, id);
  if (entry === undefined) return undefined;
  const countIn = (text: string) => {
    const all = folded(text);
    return words.filter((word) => all.includes(word)).length;
  };
  let best: { text: string; count: number; path?: string[] } = { text: id, count: countIn(id) };
  eachText(entry.data, (text, path) => {
    const count = countIn(text);
    if (count > best.count) best = { text, count, path: [...path] };
  });
  const { text, path } = best;
  const place = path && placeOf(entry, path, models.get(entry.modelId), blocks);
  return { ...excerptOf(text, words), ...(place && { place }) };
}

export interface TextPlace {
  /** JSON Pointer into the stored data. */
  readonly path: string;
  /** The names of the field and of those of the blocks that it is in, outermost first. */
  readonly fields: readonly string[];
  /** B2: the locale of the innermost localized one. */
  readonly locale?: string;
}

/** The place of a path into the data of an entry, in words. */
export function placeOf(
  { data }: Entry,
  path: readonly string[],
  model: Model | undefined,
  blocks: ReadonlyMap<string, Block>,
): TextPlace {
  const fields: string[] = [];
  let locale: string | undefined;
  let defined: readonly FieldDefinition[] | undefined = model?.fields ?? [];
  let value: JsonValue | undefined = data;
  for (const [at, segment] of path.entries()) {
    if (defined !== undefined) {
      const field: FieldDefinition | undefined = defined.find(({ key }) => key === segment);
      fields.push(field?.name ?? segment);
      if (field?.localized) locale = path[at + 1];
      defined = undefined;
    } else if (segment === "data" && isJsonObject(value ?? null)) {
      const block = ownMember(value as Entry["data"], "contentBlockId");
      defined = typeof block === "string" ? (blocks.get(block)?.fields ?? []) : undefined;
    }
    value = (value as Record<string, JsonValue>)[segment];
  }
  return { path: jsonPointer(path), fields, ...(locale !== undefined && { locale }) };
}
