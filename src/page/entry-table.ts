import { titleFields, titleValues } from "../fields/entry-title.ts";
import { fieldType } from "../fields/registry.ts";
import { type EntryHead, withData } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import { andMore } from "../workspace/listed.ts";
import type { Model } from "../workspace/records.ts";
import { assetTitle } from "./asset-views.ts";
import type { DraftState } from "./draft-state.ts";
import { type EntrySummary, pointerTarget, titleOf } from "./entry-summary.ts";
import { type FileView, pictureOf } from "./file-view.ts";
import { folded, wordsOf } from "./search-text.ts";
import type { UseIndex } from "./where-used.ts";

/** Rows in one answer: few, as what is asked of them names them in an address. */
const TABLE_PAGE = 50;
/** Fields that are columns. */
const COLUMNS = 4;
/** Values of a list that a cell names. */
const NAMED = 3;

interface TableColumn {
  readonly key: string;
  readonly name: string;
  readonly type: string;
}

interface TableRow extends EntrySummary {
  readonly modelName: string | null;
  readonly picture?: FileView;
  /** By column; empty without a value. */
  readonly cells: readonly string[];
}

export interface EntryTable {
  readonly total: number;
  /** The most telling fields of the model; none where there are several. */
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}

export interface TableQuery {
  /** Of the model, and using the block, with these ids; empty: all. */
  readonly model: string;
  readonly block: string;
  /** Words of the title or id. */
  readonly q: string;
  readonly only: string;
  /** `title`, `model`, `used`, or a field as `field:<key>`; with `-` before it the other way round. */
  readonly sort: string;
  readonly offset: number;
}

/**
 * H35: entries as the rows of a table, sorted and filtered before they are cut into pages.
 *
 * @param listed the ids of the only entries to list; undefined: all
 */
export function entryTable(
  state: DraftState,
  query: TableQuery,
  uses: () => UseIndex,
  listed?: ReadonlySet<string>,
): EntryTable {
  const heads = ordered(state, query, uses, listed);
  const columns = columnsOf(state.models.get(query.model));
  return {
    total: heads.length,
    columns: columns.map(({ key, name = key, type }) => ({ key, name, type })),
    rows: heads.slice(query.offset, query.offset + TABLE_PAGE).map((head) => {
      const model = state.models.get(head.modelId);
      const entry = withData(state.draft, head);
      const picture = pictureOf(state, entry);
      return {
        id: head.id,
        title: titleIn(state, head),
        modelKey: model?.key ?? null,
        modelName: model?.name ?? null,
        hidden: state.hiddenBy(head.id),
        ...(picture && { picture }),
        cells: columns.map((field) => cellOf(state, field, entry.data)),
      };
    }),
  };
}

/** The last orders of each state, since a table is read page by page. */
const orders = new WeakMap<DraftState, Map<string, readonly EntryHead[]>>();
const REMEMBERED = 4;

function ordered(
  state: DraftState,
  { offset: _, ...query }: TableQuery,
  uses: () => UseIndex,
  listed: ReadonlySet<string> | undefined,
): readonly EntryHead[] {
  const known = orders.get(state) ?? new Map<string, readonly EntryHead[]>();
  orders.set(state, known);
  const key = JSON.stringify(query);
  let heads = known.get(key);
  if (heads === undefined) {
    heads = sorted(state, filtered(state, query, uses, listed), query.sort, uses);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= REMEMBERED) known.delete(oldest);
    known.set(key, heads);
  }
  return heads;
}

function filtered(
  state: DraftState,
  { model, block, q, only }: Omit<TableQuery, "offset">,
  uses: () => UseIndex,
  listed: ReadonlySet<string> | undefined,
): EntryHead[] {
  const words = wordsOf(q);
  return [...state.draft.entries.values()].filter((head) => {
    if (model !== "" && head.modelId !== model) return false;
    if (listed !== undefined && !listed.has(head.id)) return false;
    if (only === "hidden" && state.hiddenBy(head.id) === null) return false;
    if (only === "unused" && !uses().isUnused("entries", head.id)) return false;
    if (block !== "" && !hasBlock(state, head, block)) return false;
    if (words.length === 0) return true;
    const text = folded(`${titleIn(state, head)} ${head.id}`);
    return words.every((word) => text.includes(word));
  });
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

/** By a value of each entry; entries without one are the last in both directions. */
function sorted(
  state: DraftState,
  heads: readonly EntryHead[],
  sort: string,
  uses: () => UseIndex,
): readonly EntryHead[] {
  const isDown = sort.startsWith("-");
  const by = isDown ? sort.slice(1) : sort;
  const rows = heads.map((head) => {
    const title = folded(titleIn(state, head));
    return { head, title, value: by === "title" ? title : sortValue(state, head, by, uses) };
  });
  const compared = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  rows.sort((a, b) => {
    if (a.value === "" || b.value === "") {
      if (a.value !== b.value) return a.value === "" ? 1 : -1;
    } else {
      const order = compared(a.value, b.value);
      if (order !== 0) return isDown ? -order : order;
    }
    return compared(a.title, b.title) || compared(a.head.id, b.head.id);
  });
  return rows.map(({ head }) => head);
}

function sortValue(
  state: DraftState,
  head: EntryHead,
  by: string,
  uses: () => UseIndex,
): string | number {
  if (by === "used") return uses().pages("entries", head.id);
  const model = state.models.get(head.modelId);
  const field = model?.fields.find(({ key }) => `field:${key}` === by);
  if (field === undefined) return folded(model?.name ?? "");
  const value = shownValue(state, field, state.draft.dataOf(head));
  if (typeof value === "number") return value;
  return folded(cellOf(state, field, state.draft.dataOf(head)));
}

/** Titles by head, which is the same object as long as the entry is, for the last definitions. */
let titles = { definitions: "", known: new WeakMap<EntryHead, string>() };
const definitions = new WeakMap<DraftState, string>();

function titleIn(state: DraftState, head: EntryHead): string {
  const { draft, models, languages } = state;
  let key = definitions.get(state);
  if (key === undefined) {
    key = JSON.stringify([draft.models, languages.titles()]);
    definitions.set(state, key);
  }
  if (titles.definitions !== key) titles = { definitions: key, known: new WeakMap() };
  let title = titles.known.get(head);
  if (title === undefined) {
    title = titleOf(withData(draft, head), models.get(head.modelId), languages.titles());
    titles.known.set(head, title);
  }
  return title;
}

/** The types of the fields that tell most about an entry, the first most. */
const TELLING = [
  ["select"],
  ["boolean"],
  ["date", "date-time", "iso-date"],
  ["number", "integer"],
  ["reference"],
  ["content-block", "asset"],
  ["text", "email", "url"],
];

/** The most telling fields of a model but its title, in authored order. */
function columnsOf(model: Model | undefined): readonly FieldDefinition[] {
  if (model === undefined) return [];
  const rank = ({ type }: FieldDefinition) => TELLING.findIndex((types) => types.includes(type));
  const [title] = titleFields(model.fields);
  const telling = model.fields.filter((field) => rank(field) >= 0 && field !== title);
  const chosen = new Set(telling.toSorted((a, b) => rank(a) - rank(b)).slice(0, COLUMNS));
  return telling.filter((field) => chosen.has(field));
}

/** The stored value; of a localized field in the first language that has one. */
function shownValue(
  { languages }: DraftState,
  field: FieldDefinition,
  data: JsonObject,
): JsonValue | undefined {
  const values = titleValues(field, ownMember(data, field.key), languages.titles());
  return values.find((value) => value !== undefined);
}

function cellOf(state: DraftState, field: FieldDefinition, data: JsonObject): string {
  const value = shownValue(state, field, data) ?? null;
  const values = field.repeatable && Array.isArray(value) ? (value as JsonValue[]) : [value];
  const texts = values.slice(0, NAMED).map((one) => cellText(state, one));
  return texts.filter((text) => text !== "").join(", ") + andMore(values.length - NAMED);
}

const LONGEST = 80;

function cellText(state: DraftState, value: JsonValue): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") {
    return value.length > LONGEST ? `${value.slice(0, LONGEST).toWellFormed()}…` : value;
  }
  if (value === null || !isJsonObject(value)) return "";
  const id = (name: string) => String(ownMember(value, name) ?? "");
  if (id("contentEntryId") !== "") return pointerTarget(state, id("contentEntryId")).title;
  if (id("contentBlockId") !== "") return state.blocks.get(id("contentBlockId"))?.name ?? "";
  return id("assetId") === "" ? "" : assetTitle(state, id("assetId"));
}
