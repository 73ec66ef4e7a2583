import type { OlderValues } from "../documents/language-stats.ts";
import { isUntranslated } from "../documents/translation.ts";
import { fieldType } from "../fields/registry.ts";
import { type EntryHead, entryOf, withData } from "../workspace/draft.ts";
import { isJsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import { cellOf, columnsOf, shownValue } from "./cells.ts";
import type { DraftState } from "./draft-state.ts";
import { fileView, pictureOf } from "./file-view.ts";
import {
  type ListedEntry,
  type ListedRecord,
  OTHER_KINDS,
  type OtherRecord,
  otherRecords,
  type RecordList,
} from "./record-list.ts";
import {
  type Excerpt,
  eachText,
  excerptOf,
  folded,
  type Marks,
  marksOf,
  spaced,
} from "./search-text.ts";
import { placeOf, type TextPlace } from "./text-place.ts";
import { usesOf } from "./where-used.ts";
import { rankOf, type Sought, soughtOf } from "./word-fit.ts";

export interface RowsQuery {
  /** Words. */
  readonly q: string;
  /** Of one of these models, and using the block, with these ids; empty: all. */
  readonly models: readonly string[];
  readonly block: string;
  /** `hidden`, `unused`, or what a check finds: `changed`, `problems`; of assets `missing`, `images`, `files` too. */
  readonly only: string;
  /** H73: without a value in the language of this locale. */
  readonly missing: string;
  /** H73: with a value in this locale that is older than its source. */
  readonly older: string;
  /** H73: with what is missing and older in each language. */
  readonly translations: boolean;
  /**
   * `title`, `model`, `used`, or a field as `field:<key>`; with `-` before it the other way round. Words are then
   * those of the title or id. Empty: how well the words fit (H38), those of texts too; without words the title.
   */
  readonly sort: string;
  readonly offset: number;
  readonly most: number;
}

/** A record that was found: what all lists show of one. */
export interface Hit {
  readonly id: string;
  readonly title: string;
  /** Of the words in the title. */
  readonly titleMarks: Marks;
  /** The text around the words; absent where the title has every one. */
  readonly found?: Excerpt & {
    /** Absent: it is the id, or the text of another record. */
    readonly place?: TextPlace;
  };
}

interface Sources {
  readonly list: RecordList;
  /** The ids of the only entries to list; undefined: all. */
  readonly ids?: ReadonlySet<string> | undefined;
  readonly olderValues?: OlderValues | undefined;
}

/** The last orders of each state, since a list is read page by page. */
const orders = new WeakMap<DraftState, Map<string, readonly ListedEntry[]>>();
const REMEMBERED = 4;

/** H35, H38: entries, filtered and sorted before they are cut into pages. */
export function entryRows(state: DraftState, query: RowsQuery, sources: Sources) {
  const { offset, most, ...asked } = query;
  const { list } = sources;
  const earlier = orders.get(state) ?? new Map<string, readonly ListedEntry[]>();
  orders.set(state, earlier);
  const key = JSON.stringify([asked, list.reads]);
  const all = earlier.get(key) ?? ordered(state, query, sources);
  const [oldest] = earlier.keys();
  if (oldest !== undefined && earlier.size >= REMEMBERED) earlier.delete(oldest);
  earlier.set(key, all);
  const [model = "", another] = query.models;
  // The most telling fields of the model; none where there are several.
  const columns = another === undefined ? columnsOf(state.models.get(model)) : [];
  const { words } = soughtOf(query.q);
  const { isUsed } = state.languages;
  return {
    total: all.length,
    columns: columns.map(({ key, name = key, type }) => ({ key, name, type })),
    // Those into which entries are translated.
    locales: isUsed ? localesOf(state) : [],
    rows: all.slice(offset, offset + most).map(({ head, title }) => {
      const { id, modelId } = head;
      const { key: modelKey = null, name: modelName = null } = state.models.get(modelId) ?? {};
      const entry = withData(state.draft, head);
      const picture = pictureOf(state, entry);
      return {
        ...{ id, modelKey, modelName, title, ...state.publishingOf(entry) },
        ...marked(title, words, (missing) => foundIn(state, id, missing)),
        ...(picture && { picture }),
        cells: columns.map((field) => cellOf(state, field, entry.data)),
        ...(query.translations && { translations: translationsOf(state, head, sources) }),
      };
    }),
  };
}

/** H36: the assets by title, or by how well the words fit. */
export function assetRows(state: DraftState, { q, only, offset, most }: RowsQuery) {
  const missing = () =>
    usesOf(state).missingAssets.map((id) => ({ id, title: id, name: spaced(id) }));
  const all: readonly Pick<ListedRecord, "id" | "title" | "name">[] =
    only === "missing" ? missing() : otherRecords(state).filter(({ kind }) => kind === "asset");
  const wanted = all.filter(({ id }) => {
    const isImage = state.draft.assets.get(id)?.mimeType.startsWith("image/") === true;
    if (only === "images" || only === "files") return isImage === (only === "images");
    return only !== "unused" || usesOf(state).isUnused("assets", id);
  });
  const sought = soughtOf(q);
  const found = fitting(
    wanted.map((one) => ({ also: spaced(one.id), text: undefined, ...one })),
    sought,
  );
  return {
    total: found.length,
    rows: found.slice(offset, offset + most).map(({ id, title }) => {
      const asset = state.draft.assets.get(id);
      // Absent: it is named, but the draft does not have it.
      const file = asset && fileView(state, asset);
      return { id, title, titleMarks: marksOf(title, sought.words), ...(file && { file }) };
    }),
  };
}

/**
 * H38: the records beside entries that have every word; none without a word. An experience whose entry is found by
 * the same title is not another one (H38b).
 */
export function otherHits(state: DraftState, { q, most }: RowsQuery, list: RecordList) {
  const sought = soughtOf(q);
  const all = sought.words.length === 0 ? [] : otherRecords(state);
  const isEntry = ({ name, entries = [] }: OtherRecord) =>
    sought.words.every((word) => name.includes(word)) &&
    entries.some((id) => list.nameOf(state.draft.entries.get(id)) === name);
  return OTHER_KINDS.flatMap((kind) => {
    const found = fitting(
      all.filter((one) => one.kind === kind && !isEntry(one)),
      sought,
    );
    const hits = found.slice(0, most).map(({ id, title, texts, project }) => ({
      ...{ id, title, ...(project && { project }) },
      ...marked(title, sought.words, (missing) => {
        const text = texts.find((one) => missing.some((word) => spaced(one).includes(word)));
        return text === undefined ? undefined : excerptOf(text, missing);
      }),
    }));
    return found.length === 0 ? [] : [{ kind, total: found.length, hits }];
  });
}

/** Those that have the words, the best first. */
function fitting<T extends ListedRecord>(records: readonly T[], sought: Sought): T[] {
  const ranked = records.flatMap((one) => {
    const rank = rankOf(one, sought, true);
    return rank === undefined ? [] : [{ one, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}

function ordered(
  state: DraftState,
  query: RowsQuery,
  { list, ids, olderValues }: Sources,
): readonly ListedEntry[] {
  const { models, block, only, missing, older, sort } = query;
  const sought = soughtOf(query.q);
  const { asRead, byTitle } = list.entries(state);
  const isWanted = ({ head }: ListedEntry) =>
    (models.length === 0 || models.includes(head.modelId)) &&
    (ids === undefined || ids.has(head.id)) &&
    (only !== "hidden" || state.hiddenBy(head.id) !== null) &&
    (only !== "unused" || usesOf(state).isUnused("entries", head.id)) &&
    (block === "" || hasBlock(state, head, block)) &&
    (missing === "" || isMissingIn(state, head, missing)) &&
    (older === "" || isOlderIn(olderValues, head, older));
  const found: ListedEntry[] = [];
  const places: number[] = [];
  for (const one of asRead) {
    const rank = isWanted(one) ? rankOf(one, sought, sort === "") : undefined;
    if (rank === undefined) continue;
    found.push(one);
    places.push((sort === "" ? rank * byTitle.length : 0) + one.place);
  }
  if (!/^(?:-?title)?$/.test(sort)) return byValue(state, found, sort);
  // Numbers are sorted fast: of 100,000 entries a rank, and the place by title.
  const listed = Array.from(Float64Array.from(places).sort(), (place) => {
    return byTitle[place % byTitle.length] as ListedEntry;
  });
  return sort === "-title" ? listed.reverse() : listed;
}

/** Whether an entry has a block of this kind, in a block or rich text too. */
function hasBlock({ draft, models }: DraftState, head: EntryHead, block: string): boolean {
  const fields = models.get(head.modelId)?.fields.filter(({ type }) => fieldType(type).holdsBlocks);
  if (fields === undefined || fields.length === 0) return false;
  const has = (value: JsonValue): boolean =>
    typeof value === "object" &&
    value !== null &&
    ((isJsonObject(value) && ownMember(value, "contentBlockId") === block) ||
      Object.values(value).some(has));
  const data = draft.dataOf(head);
  return fields.some(({ key }) => has(ownMember(data, key) ?? null));
}

/** H73: whether only other languages have one of its values. */
function isMissingIn(state: DraftState, head: EntryHead, locale: string): boolean {
  const { draft, models, blocks, languages } = state;
  const language = languages.all.find(({ view }) => view.locale === locale)?.language;
  if (language === undefined || languages.ofModel(head.modelId).length === 0) return false;
  const { publishing, modelId } = head;
  const fields = models.get(modelId)?.fields ?? [];
  return isUntranslated(fields, draft.dataOf(head), { language, blocks, publishing });
}

function isOlderIn(olderValues: OlderValues | undefined, head: EntryHead, locale: string) {
  return olderValues?.of(head).some((one) => one.locale === locale) ?? false;
}

/** H73: of each locale that is used, as it is shown; null: there is nothing to say. */
function translationsOf(state: DraftState, head: EntryHead, { olderValues }: Sources) {
  return localesOf(state).map((locale) => {
    if (isMissingIn(state, head, locale)) return "Missing" as const;
    return isOlderIn(olderValues, head, locale) ? ("Older" as const) : null;
  });
}

function localesOf({ languages }: DraftState): string[] {
  return [...new Set(languages.all.flatMap(({ view }) => view.locale ?? []))];
}

/** By a value of each entry; entries without one are the last in both directions, those with the same stay by title. */
function byValue(
  state: DraftState,
  entries: readonly ListedEntry[],
  sort: string,
): readonly ListedEntry[] {
  const isDown = sort.startsWith("-");
  const by = isDown ? sort.slice(1) : sort;
  const rows = entries.map((one) => ({ one, value: sortValue(state, one.head, by) }));
  rows.sort((a, b) => {
    if (a.value === b.value) return a.one.place - b.one.place;
    if (a.value === "" || b.value === "") return a.value === "" ? 1 : -1;
    return a.value < b.value === isDown ? 1 : -1;
  });
  return rows.map(({ one }) => one);
}

function sortValue(state: DraftState, head: EntryHead, by: string): string | number {
  if (by === "used") return usesOf(state).pages("entries", head.id);
  const model = state.models.get(head.modelId);
  const field = model?.fields.find(({ key }) => `field:${key}` === by);
  if (field === undefined) return folded(model?.name ?? "");
  const data = state.draft.dataOf(head);
  const value = shownValue(state, field, data);
  return typeof value === "number" ? value : folded(cellOf(state, field, data));
}

/** The marks of a title, and what has the words that are not in it. */
function marked(
  title: string,
  words: readonly string[],
  find: (missing: readonly string[]) => Hit["found"],
): Pick<Hit, "titleMarks" | "found"> {
  const name = spaced(title);
  const missing = words.filter((word) => !name.includes(word));
  const found = missing.length === 0 ? undefined : find(missing);
  return { titleMarks: marksOf(title, words), ...(found && { found }) };
}

/** The first text that has the most of the words. */
function foundIn({ draft, models, blocks }: DraftState, id: string, words: readonly string[]) {
  const entry = entryOf(draft, id);
  if (entry === undefined) return undefined;
  const countIn = (text: string) => {
    const all = spaced(text);
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
