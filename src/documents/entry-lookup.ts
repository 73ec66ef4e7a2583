import type { Lookup, OptionProblems } from "../fields/serving.ts";
import type { Asset } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Hidden } from "../workspace/problem.ts";
import type { Block, Entry, Model } from "../workspace/records.ts";
import { optionProblems } from "./definition-problems.ts";
import { idOfName, isFormName } from "./entry-forms.ts";
import type { IdIndex } from "./id-index.ts";

/** An entry by its number in a rendering. */
export type EntryNumber = number;

/** The model number of an entry that was removed. */
export const GONE = -1;

/** The entries of a draft by number; `models` has the index into `modelIds` for each. */
export interface EntryColumns {
  readonly ids: IdIndex;
  readonly models: Int32Array;
  readonly modelIds: readonly string[];
  /** A1: the entries that pointers do not find. */
  readonly hidden: ReadonlyMap<EntryNumber, Hidden>;
}

/** Resolves values by columns that several threads may share. */
export class EntryLookup implements Lookup {
  readonly draft: Draft;
  readonly blocks: ReadonlyMap<string, Block>;
  /** By id, their fields in served order. */
  readonly models: ReadonlyMap<string, Model>;
  /** B1: by number. */
  readonly languages: readonly Language[];
  readonly locales: ReadonlySet<string>;
  readonly #columns: EntryColumns;
  #optionProblems: OptionProblems | undefined;
  readonly #assets = new Map<string, Asset | undefined>();

  constructor(draft: Draft, columns: EntryColumns, languages: readonly Language[]) {
    this.draft = draft;
    this.models = new Map(draft.models.map((model) => [model.id, inServedOrder(model)]));
    this.blocks = new Map(draft.blocks.map((block) => [block.id, inServedOrder(block)]));
    this.languages = languages;
    this.locales = new Set(languages.flat());
    this.#columns = columns;
  }

  /** Cached, since many entries show the same assets. */
  asset(id: string): Asset | undefined {
    if (this.#assets.has(id)) return this.#assets.get(id);
    if (this.#assets.size === CACHED_ASSETS) this.#assets.clear();
    const asset = this.draft.asset(id);
    this.#assets.set(id, asset);
    return asset;
  }

  get optionProblems(): OptionProblems {
    this.#optionProblems ??= optionProblems(this.draft);
    return this.#optionProblems;
  }

  find(id: string): number | undefined {
    const { ids, models, hidden } = this.#columns;
    const entry = ids.find(id);
    if (entry === undefined || models[entry] === GONE || isFormName(id)) return undefined;
    return hidden.size > 0 && hidden.has(entry) ? undefined : entry;
  }

  hiddenBy(id: string): Hidden | undefined {
    const { ids, hidden } = this.#columns;
    return hidden.get(ids.find(id) ?? -1);
  }

  modelKeyOf(entry: number): string | undefined {
    const { models, modelIds } = this.#columns;
    const modelId = modelIds[models[entry] as number];
    return modelId === undefined ? undefined : this.models.get(modelId)?.key;
  }

  /** The entry with this number, read from this row of the store. */
  entry(number: number, row: number): Entry {
    const { ids, models, modelIds } = this.#columns;
    const id = idOfName(ids.id(number));
    const modelId = modelIds[models[number] as number] as string;
    return { id, modelId, data: this.draft.changes.storedData(row, id, modelId) };
  }
}

/** The size of the cache: some 5 MB. */
const CACHED_ASSETS = 20_000;

/** With the fields in the order of canonical JSON (F2). */
function inServedOrder<M extends Model>(model: M): M {
  return { ...model, fields: [...model.fields].sort((a, b) => byCodeUnit(a.key, b.key)) };
}
