import { comparedAs, scalarsOf } from "../fields/compared.ts";
import { instantOf } from "../fields/iso-date.ts";
import type { Conditions, Scalar, Sort } from "../workspace/conditions.ts";
import type { EntryHead } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { type JsonValue, ownMember } from "../workspace/json.ts";
import type { ProblemPlace } from "../workspace/problem.ts";
import type { Model } from "../workspace/records.ts";
import type { DraftLookup } from "./entry.ts";

/** What looks for entries by their values: a query, or a collection. */
export interface Search {
  /** Whose entries are found. */
  readonly models: readonly Model[];
  readonly where: Conditions;
  readonly sort: Sort;
  /** The fields of found entries that are asked for. */
  readonly keys: ReadonlySet<string>;
  readonly query?: SearchingField;
  /** The place of its member `where` or `sort`, or of what is in it. */
  readonly placeOf: (...path: (string | number)[]) => ProblemPlace;
}

/** A field with a query. */
export interface SearchingField {
  readonly field: FieldDefinition;
  /** All fields of its record. */
  readonly beside: readonly FieldDefinition[];
  readonly limit: number;
}

/** The fields of the searched models that are asked for. */
export function askedFields({ models, keys }: Search): FieldDefinition[] {
  return models.flatMap(({ fields }) => fields.filter(({ key }) => keys.has(key)));
}

interface IndexedField {
  readonly field: FieldDefinition;
  /** In the rows of its model. */
  readonly index: number;
}

type Row = readonly (JsonValue | undefined)[];

const NONE: readonly never[] = [];

/**
 * Q8: of the entries of a draft the values of just those fields that some search asks for, each entry
 * read once. What an earlier one has read of the same entries is taken over.
 */
export class IndexedValues {
  readonly lookup: DraftLookup;
  readonly searches: readonly Search[];
  /** By model id, then by key: the fields that are asked for. */
  readonly #fields: ReadonlyMap<string, ReadonlyMap<string, IndexedField>>;
  /** The same, as text. */
  readonly #asked: string;
  /** The stored values of the fields of an entry. All states of a draft share it. */
  readonly #rows: WeakMap<EntryHead, Row>;
  #heads: ReadonlyMap<string, readonly EntryHead[]> | undefined;

  constructor(lookup: DraftLookup, searches: readonly Search[], earlier?: IndexedValues) {
    this.lookup = lookup;
    this.searches = searches;
    this.#fields = fieldsOf(searches);
    this.#asked = JSON.stringify(Array.from(this.#fields, ([id, keys]) => [id, ...keys.keys()]));
    this.#rows = earlier && earlier.#asked === this.#asked ? earlier.#rows : new WeakMap();
  }

  /** All entries of a model, hidden ones too. */
  headsOf(modelId: string): readonly EntryHead[] {
    this.#heads ??= this.#read();
    return this.#heads.get(modelId) ?? NONE;
  }

  /**
   * Q3: the values of a field of an entry that are served in a language (by number), each once; none when
   * its model has no such field, or values of the field are not compared.
   */
  of(head: EntryHead, key: string, language: number): readonly Scalar[] {
    const known = this.#fields.get(head.modelId)?.get(key);
    if (known === undefined) return NONE;
    const stored = this.#row(head)[known.index];
    return scalarsOf(known.field, stored, this.lookup.languageOf(head, language));
  }

  /** Q5: the same of dates, in milliseconds since 1970; none of fields of other types. */
  instantsOf(head: EntryHead, key: string, language: number): readonly number[] {
    if (!this.isDate(head, key)) return NONE;
    const all = this.of(head, key, language).map(instantOf);
    return all.filter((time) => !Number.isNaN(time));
  }

  isDate({ modelId }: EntryHead, key: string): boolean {
    const known = this.#fields.get(modelId)?.get(key);
    return known !== undefined && comparedAs(known.field) === "date";
  }

  /** One pass, in the order in which values are read fastest. */
  #read(): ReadonlyMap<string, readonly EntryHead[]> {
    const heads = new Map(Array.from(this.#fields.keys(), (id): [string, EntryHead[]] => [id, []]));
    for (const head of this.lookup.draft.entries.values()) {
      const ofModel = heads.get(head.modelId);
      if (ofModel === undefined) continue;
      ofModel.push(head);
      this.#row(head);
    }
    return heads;
  }

  #row(head: EntryHead): Row {
    const known = this.#rows.get(head);
    if (known !== undefined) return known;
    const stored = this.lookup.draft.dataOf(head);
    const keys = this.#fields.get(head.modelId)?.keys() ?? NONE;
    const row = Array.from(keys, (key) => ownMember(stored, key));
    this.#rows.set(head, row);
    return row;
  }
}

function fieldsOf(searches: readonly Search[]): Map<string, Map<string, IndexedField>> {
  const fields = new Map<string, Map<string, IndexedField>>();
  for (const { models, keys } of searches) {
    for (const model of models) {
      const own = fields.get(model.id) ?? new Map<string, IndexedField>();
      fields.set(model.id, own);
      for (const key of keys) {
        const field = model.fields.find((one) => one.key === key);
        if (field !== undefined && !own.has(key)) own.set(key, { field, index: own.size });
      }
    }
  }
  return fields;
}
