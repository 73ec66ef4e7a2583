import { entriesInOrder, entryOf } from "../../workspace/draft.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isJsonObject, type JsonValue, jsonPointer, ownMember } from "../../workspace/json.ts";
import type { Block, Entry, Model } from "../../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import { type EntrySummary, titleOf } from "./entry-summary.ts";

export interface Match extends EntrySummary {
  /** The text around the first match; absent when the title or id contains every word. */
  readonly excerpt?: string;
  /** Of the first match, with `excerpt`. */
  readonly place?: TextPlace;
}

export interface SearchResult {
  readonly total: number;
  readonly offset: number;
  readonly entries: readonly Match[];
}

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
  const found = indexOf(state).filter(({ folded }) => words.every((word) => folded.includes(word)));
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

interface IndexedEntry {
  readonly id: string;
  readonly modelKey: string | null;
  readonly title: string;
  /** Every text of the entry in lower case, its id first. */
  readonly folded: string;
}

const indexes = new WeakMap<DraftState, readonly IndexedEntry[]>();

/** What is searched, in order of the ids; reads every entry of a state once. */
function indexOf(state: DraftState): readonly IndexedEntry[] {
  let index = indexes.get(state);
  if (index === undefined) {
    const languages = state.languages.titles();
    index = Array.from(entriesInOrder(state.draft), (entry) => {
      const model = state.models.get(entry.modelId);
      const title = titleOf(entry, model, languages);
      const folded = textOf(entry).toLowerCase();
      return { id: entry.id, modelKey: model?.key ?? null, title, folded };
    });
    indexes.set(state, index);
  }
  return index;
}

/**
 * Every text of an entry, one a line, its id first: values of every kind are found by their text,
 * ids of assets and targets too.
 */
function textOf({ id, data }: Entry): string {
  const texts = [id];
  gather(data, texts);
  return texts.join("\n");
}

function gather(value: JsonValue, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "number") texts.push(String(value));
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) gather(member, texts);
  }
}

interface TextPlace {
  /** JSON Pointer into the stored data. */
  readonly path: string;
  /** The names of the field and of those of the blocks that it is in, outermost first. */
  readonly fields: readonly string[];
  /** B2: the locale of the innermost localized one. */
  readonly locale?: string;
}

/**
 * The place of the text of an entry's data that has the character at `offset`, if its texts in lower
 * case are one a line, in the order of `textOf`.
 */
function placeOfText(
  { data }: Entry,
  offset: number,
  model: Model | undefined,
  blocks: ReadonlyMap<string, Block>,
): TextPlace {
  const path = pathAt(data, { left: offset }) ?? [];
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

/** The path of the text at an offset, which is counted down. */
function pathAt(value: JsonValue, offset: { left: number }): string[] | undefined {
  if (typeof value === "string" || typeof value === "number") {
    const { length } = String(value).toLowerCase();
    if (offset.left <= length) return [];
    offset.left -= length + 1;
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const found = pathAt(member, offset);
      if (found !== undefined) return [name, ...found];
    }
  }
  return undefined;
}
