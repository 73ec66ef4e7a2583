import { byCodeUnit } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Hidden, Problem } from "../workspace/problem.ts";
import { EntryForms, idOfName, longer } from "./entry-forms.ts";
import { type EntryColumns, type EntryNumber, GONE } from "./entry-lookup.ts";
import { IdIndex } from "./id-index.ts";
import { Names } from "./names.ts";
import { NumberLists } from "./number-lists.ts";
import type { ProjectOutline } from "./project-outline.ts";
import type { ServedChunk } from "./serve-chunk.ts";
import { type TextNumber, textNumber } from "./text-packs.ts";

/** How many elements a new column has room for. */
const ROOM = 1024;

/** The text number of an entry without text. */
export const NO_TEXT = 0;

/**
 * The entries of a draft in columns: the row of each, its model, and what it was served as. Numbers
 * are never reused: a removed entry keeps its number, with the model `GONE`. An entry that differs
 * by language has a further number for each further language, with the columns of that `form`.
 */
export class EntryTable {
  ids = new IdIndex();
  readonly modelIds = new Names();
  /** Of each entry the number of its model id, or `GONE`. Other threads read it too. */
  models = new Int32Array(new SharedArrayBuffer(ROOM * 4));
  /** The number of the entry's row in the store. */
  rows = new Float64Array(ROOM);
  texts = new Float64Array(ROOM);
  /** Of each text, in bytes of UTF-8. */
  sizes = new Int32Array(ROOM);
  /** 1: the columns have what the entry is served as now; 0: it is stale. */
  fresh = new Uint8Array(ROOM);
  /** Pairs: the target's number (no form's), or -1 - that in `missing`; the number of the path. */
  pointers = new NumberLists();
  assets = new NumberLists();
  files = new NumberLists();
  /** V10: the hashes of its unique values, as `uniqueHashes` makes them. */
  uniques = new NumberLists();
  forms = new EntryForms();
  /** B1: the keys of the languages in which entries are served, by number. */
  languages: readonly string[] = [];
  /** B1: of each project, by id. */
  projectLanguages = new Map<string, Language>();
  /** A1: the entries that are not published. */
  hidden: ReadonlyMap<EntryNumber, Hidden> = new Map();
  /** Whether pointers to hidden entries lead to them, as in a preview. */
  showsHidden = false;
  readonly problems = new Map<EntryNumber, readonly Problem[]>();
  readonly schemaFaults = new Map<EntryNumber, string>();
  /** Targets of pointers that are not entries of the workspace. */
  missing = new Names();
  /** Which of `missing` are entries of other workspaces. */
  foreign: ReadonlySet<string> = new Set();
  paths = new Names();
  assetIds = new Names();
  /** The revision at which each of `assetIds` changed last; 0: there is no such asset. */
  assetRevisions: number[] = [];
  /** Each as SHA-256, a space, file name. */
  heldFiles = new Names();
  /** The outlines of projects by id, without those that may be out of date. */
  readonly outlines = new Map<string, ProjectOutline>();
  /** The position of each entry in the order of ids; undefined: not computed. */
  ranks: Int32Array | undefined;
  /** How many existing entries are stale. */
  staleCount = 0;
  /** Whether anything but texts differs from the stored parts. */
  isDirty = true;

  get size(): number {
    return this.ids.size;
  }

  idOf(entry: EntryNumber): string {
    const name = this.ids.id(entry);
    return this.forms.isEmpty ? name : idOfName(name);
  }

  isHidden(entry: EntryNumber): boolean {
    return this.hidden.size > 0 && this.hidden.has(this.forms.entryOf(entry));
  }

  exists(entry: EntryNumber): boolean {
    return this.models[entry] !== GONE;
  }

  isEntry(number: EntryNumber): boolean {
    return this.exists(number) && !this.forms.isForm(number);
  }

  add(id: string, row: number, modelId: string): EntryNumber {
    const entry = this.ids.add(id);
    this.ranks = undefined;
    this.isDirty = true;
    if (entry >= this.rows.length) this.#grow();
    this.models[entry] = this.modelIds.number(modelId);
    this.rows[entry] = row;
    this.staleCount += 1;
    return entry;
  }

  /** Computes `ranks`. */
  rank(): void {
    if (this.ranks !== undefined) return;
    const sorted = Array.from({ length: this.size }, (_, entry) => this.ids.id(entry)).sort();
    const ranks = new Int32Array(this.size);
    for (const [rank, id] of sorted.entries()) ranks[this.ids.find(id) as EntryNumber] = rank;
    this.ranks = ranks;
  }

  /** Sorted by id, by code unit (E5). */
  inOrderOfIds(entries: readonly EntryNumber[]): EntryNumber[] {
    const { ranks } = this;
    if (ranks !== undefined) {
      return [...entries].sort((a, b) => (ranks[a] as number) - (ranks[b] as number));
    }
    const ids = new Map(entries.map((entry) => [entry, this.idOf(entry)]));
    return [...entries].sort((a, b) => byCodeUnit(ids.get(a) as string, ids.get(b) as string));
  }

  removeForm(form: EntryNumber): void {
    this.remove(form);
    this.forms.remove(form);
  }

  remove(entry: EntryNumber): void {
    this.invalidate(entry);
    this.models[entry] = GONE;
    this.staleCount -= 1;
    this.isDirty = true;
  }

  /** The entry may be served differently now, in every language. */
  invalidateAll(entry: EntryNumber): void {
    this.invalidate(entry);
    for (const form of this.forms.of(entry)) this.invalidate(form);
  }

  /** The entry, or its form, may be served differently now. */
  invalidate(entry: EntryNumber): void {
    if (this.fresh[entry] === 0) return;
    this.fresh[entry] = 0;
    this.staleCount += 1;
    if (this.problems.delete(entry)) this.isDirty = true;
    if (this.schemaFaults.delete(entry)) this.isDirty = true;
  }

  /** Sets the row of an entry in the store, and its model. */
  move(entry: EntryNumber, row: number, model: number): void {
    if (this.rows[entry] === row && this.models[entry] === model) return;
    this.rows[entry] = row;
    this.models[entry] = model;
    this.isDirty = true;
  }

  /** The outlines of these projects, or of all, may be out of date. */
  dropOutlines(ids: Iterable<string> = this.outlines.keys()): void {
    for (const id of ids) if (this.outlines.delete(id)) this.isDirty = true;
  }

  /** @param packs the numbers of the texts of each new pack */
  addServed(chunk: ServedChunk, packs: readonly (readonly TextNumber[])[]): void {
    const { pointers, assets, files, uniques } = chunk;
    const missing = chunk.missing.map((id) => this.missing.number(id));
    const paths = chunk.paths.map((path) => this.paths.number(path));
    for (let at = 0; at < pointers.numbers.length; at += 2) {
      const target = pointers.numbers[at] as number;
      if (target < 0) pointers.numbers[at] = -1 - (missing[-1 - target] as number);
      pointers.numbers[at + 1] = paths[pointers.numbers[at + 1] as number] as number;
    }
    renumber(assets.numbers, chunk.assetIds, this.assetIds);
    renumber(files.numbers, chunk.heldFiles, this.heldFiles);
    let [pointer, asset, file, unique] = [0, 0, 0, 0];
    for (let at = 0; at < chunk.entries.length; at += 1) {
      const entry = chunk.entries[at] as EntryNumber;
      const wasSame = [
        this.pointers.set(entry, pointers.numbers, pointer, pointers.counts[at] as number),
        this.assets.set(entry, assets.numbers, asset, assets.counts[at] as number),
        this.files.set(entry, files.numbers, file, files.counts[at] as number),
        this.uniques.set(entry, uniques.numbers, unique, uniques.counts[at] as number),
      ];
      if (wasSame.includes(false)) this.isDirty = true;
      pointer += pointers.counts[at] as number;
      asset += assets.counts[at] as number;
      file += files.counts[at] as number;
      unique += uniques.counts[at] as number;
      this.texts[entry] = textNumber(chunk.texts[at] as number, packs) ?? NO_TEXT;
      this.sizes[entry] = chunk.sizes[at] as number;
      if (this.fresh[entry] === 0) this.staleCount -= 1;
      this.fresh[entry] = 1;
    }
    if (chunk.problems.length + chunk.schemaFaults.length > 0) this.isDirty = true;
    for (const [entry, problems] of chunk.problems) this.problems.set(entry, problems);
    for (const [entry, fault] of chunk.schemaFaults) this.schemaFaults.set(entry, fault);
  }

  #grow(): void {
    const room = Math.max(ROOM, 2 * this.rows.length);
    const models = new Int32Array(new SharedArrayBuffer(room * 4));
    models.set(this.models);
    this.models = models;
    this.rows = longer(this.rows, new Float64Array(room));
    this.texts = longer(this.texts, new Float64Array(room));
    this.sizes = longer(this.sizes, new Int32Array(room));
    this.fresh = longer(this.fresh, new Uint8Array(room));
  }
}

/** Replaces indexes into `names` by the numbers that `known` has for these names. */
function renumber(numbers: Int32Array, names: readonly string[], known: Names): void {
  const numbersOf = names.map((name) => known.number(name));
  for (let at = 0; at < numbers.length; at += 1)
    numbers[at] = numbersOf[numbers[at] as number] as number;
}

const NONE_HIDDEN: EntryColumns["hidden"] = new Map();

/** The current columns of a table, which replaces them when it grows. */
export function columnsOf(table: EntryTable): EntryColumns {
  return {
    get ids() {
      return table.ids;
    },
    get models() {
      return table.models;
    },
    get modelIds() {
      return table.modelIds.list;
    },
    get hidden() {
      return table.showsHidden ? NONE_HIDDEN : table.hidden;
    },
  };
}
