import type { Asker } from "../fields/renderer.ts";
import { changedMap } from "../workspace/changed-map.ts";
import { type Scalar, SELF } from "../workspace/conditions.ts";
import type { DraftLookup } from "./entry.ts";
import type { IndexedValues } from "./indexed-values.ts";
import { askedFields, type Search, type SearchingField } from "./searches.ts";
import { type Fits, fitsOf, Order, type Sortable } from "./select.ts";

/** Q9: so many entries a query tests, where buckets do not say which of them fit. */
const MAXIMUM_TESTS = 10_000;

/** Q9: so many values (combinations of values) of the record in which it stands a query compares. */
const MAXIMUM_KEYS = 1000;

/** A condition that depends on the record in which the query stands. */
interface Link {
  readonly key: string;
  /** The field of that record; undefined: the id of the entry. */
  readonly same: string | undefined;
}

/** An entry that fits the other conditions. */
interface Candidate extends Sortable {
  /** Its values of the links that buckets do not say. */
  readonly tested: readonly (readonly Scalar[])[];
}

type Buckets = ReadonlyMap<string, readonly Candidate[]>;

/** What entries are read from. */
export interface Searched {
  readonly lookup: DraftLookup;
  readonly values: IndexedValues;
  /** The reading of the clock. */
  readonly at: number;
}

export interface FoundByQuery {
  readonly ids: readonly string[];
  /** The keys of the buckets that it was found in. */
  readonly keys: readonly string[];
  readonly isExceeded: boolean;
}

/**
 * Q8: the entries that fit the static conditions of a query in one language, sorted, in a bucket for each
 * value (combination of values) that its other conditions ask for.
 */
export class QueryIndex {
  readonly #search: Search & { readonly query: SearchingField };
  readonly #searched: Searched;
  readonly #language: number;
  readonly #fits: Fits;
  readonly #order: Order;
  /** All links to single values, and one to repeatable ones, so that an entry is in few buckets. */
  readonly #grouped: readonly Link[];
  readonly #tested: readonly Link[];
  /** So many of a bucket decide what is found. */
  readonly #most: number;
  readonly #buckets: Buckets;
  /** The keys of buckets in which something else may be found than in the earlier index. */
  readonly changed: ReadonlySet<string>;

  /** @param since an earlier index of the same search, and the ids of entries that may have changed. */
  constructor(
    search: Search & { readonly query: SearchingField },
    searched: Searched,
    language: number,
    since?: { readonly earlier: QueryIndex; readonly touched: ReadonlySet<string> },
  ) {
    this.#search = search;
    this.#searched = searched;
    this.#language = language;
    const { where, sort, query } = search;
    this.#fits = fitsOf(searched.values, where, searched.at);
    this.#order = new Order(searched.values, sort);
    const links = Object.entries(where).flatMap(([key, condition]): Link[] => {
      const same = typeof condition === "object" ? condition.same : undefined;
      return same === undefined && condition !== SELF ? [] : [{ key, same }];
    });
    const fields = askedFields(search);
    const isMany = ({ key, same }: Link) =>
      [
        ...fields.filter((one) => one.key === key),
        ...query.beside.filter((one) => one.key === same),
      ].some(({ repeatable }) => repeatable);
    const [many, ...tested] = links.filter(isMany);
    this.#grouped = [...links.filter((link) => !isMany(link)), ...(many ? [many] : [])];
    this.#tested = tested;
    this.#most = tested.length > 0 ? MAXIMUM_TESTS : query.limit;
    if (since === undefined) {
      this.#buckets = this.#all();
      this.changed = new Set();
    } else {
      const { put, changed } = this.#changes(since.earlier, since.touched);
      this.#buckets = changedMap(since.earlier.#buckets, { put, removed: [] });
      this.changed = changed;
    }
  }

  find({ id, valuesOf }: Asker): FoundByQuery {
    const asked = ({ same }: Link) => (same === undefined ? [id ?? NONE].flat() : valuesOf(same));
    const every = tuples(this.#grouped.map(asked));
    const keys = every.slice(0, MAXIMUM_KEYS);
    const lists = keys.map((key) => this.#buckets.get(key) ?? []);
    // Itself it does not find.
    const first = lists.map((list) => list.slice(0, this.#most + 1));
    const all = first.length > 1 ? [...new Set(first.flat())].sort(this.#order.compare) : first[0];
    const sets = this.#tested.map((link) => new Set(asked(link)));
    const ids: string[] = [];
    const { limit } = this.#search.query;
    for (const candidate of (all ?? []).slice(0, this.#most + 1)) {
      if (ids.length === limit) break;
      if (candidate.id === id) continue;
      const fits = candidate.tested.every((own, at) => own.some((one) => sets[at]?.has(one)));
      if (fits) ids.push(candidate.id);
    }
    const isCut = this.#tested.length > 0 && lists.some(({ length }) => length > MAXIMUM_TESTS);
    const isExceeded = every.length > MAXIMUM_KEYS || (isCut && ids.length < limit);
    return { ids, keys, isExceeded };
  }

  #all(): Buckets {
    const buckets = new Map<string, Candidate[]>();
    for (const id of this.#search.models.flatMap((model) =>
      this.#searched.values.idsOf(model.id),
    )) {
      const { candidate, keys } = this.#candidate(id) ?? { keys: [] };
      for (const key of keys) {
        const bucket = buckets.get(key);
        if (bucket === undefined) buckets.set(key, [candidate as Candidate]);
        else bucket.push(candidate as Candidate);
      }
    }
    for (const bucket of buckets.values()) bucket.sort(this.#order.compare);
    return buckets;
  }

  /** An entry with the keys of its buckets; undefined: it is never found. */
  #candidate(id: string) {
    const { lookup, values } = this.#searched;
    const language = this.#language;
    const head = lookup.find(id, lookup.localeOf(language));
    if (head === undefined || !this.#search.models.some((model) => model.id === head.modelId))
      return;
    if (!this.#fits(head, language)) return;
    const valuesOf = ({ key }: Link) => values.of(head, key, language);
    const tested = this.#tested.length === 0 ? NONE : this.#tested.map(valuesOf);
    const candidate = { ...this.#order.sortable(head, language), tested };
    return { candidate, keys: tuples(this.#grouped.map(valuesOf)) };
  }

  #changes(earlier: QueryIndex, touched: ReadonlySet<string>) {
    const moved = new Set<string>();
    const added = new Map<string, Candidate[]>();
    for (const id of touched) {
      const [was, is] = [earlier.#candidate(id), this.#candidate(id)];
      if (JSON.stringify(was) === JSON.stringify(is)) continue;
      moved.add(id);
      for (const key of was?.keys ?? []) if (!added.has(key)) added.set(key, []);
      for (const key of is?.keys ?? []) {
        added.set(key, [...(added.get(key) ?? []), is?.candidate as Candidate]);
      }
    }
    const put = new Map<string, readonly Candidate[]>();
    const changed = new Set<string>();
    // With what they are sorted by: entries of several buckets are found in one order.
    const decisive = (bucket: readonly Candidate[]) =>
      JSON.stringify(bucket.slice(0, this.#most + 1));
    for (const [key, more] of added) {
      const before = earlier.#buckets.get(key) ?? [];
      const now = [...before.filter(({ id }) => !moved.has(id)), ...more];
      put.set(key, now.sort(this.#order.compare));
      if (decisive(now) !== decisive(before)) changed.add(key);
    }
    return { put, changed };
  }
}

const NONE: readonly never[] = [];

/** All combinations of a value of each list, as texts. */
function tuples(lists: readonly (readonly Scalar[])[]): string[] {
  let all: readonly (readonly Scalar[])[] = [[]];
  for (const list of lists) all = all.flatMap((tuple) => list.map((value) => [...tuple, value]));
  return all.map((tuple) => JSON.stringify(tuple));
}
