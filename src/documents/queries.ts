import { queryOf, type ReferenceField } from "../fields/reference.ts";
import type { Asked, Asker, Found } from "../fields/renderer.ts";
import { acceptedOf } from "../fields/shared-schemas.ts";
import { askedKeys, DEFAULT_LIMIT, type Scalar, SELF } from "../workspace/conditions.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { jsonPointer } from "../workspace/json.ts";
import type { Model } from "../workspace/records.ts";
import { collectionsOf } from "./collection-definitions.ts";
import {
  askedFields,
  type IndexedValues,
  type Search,
  type SearchingField,
} from "./indexed-values.ts";
import { fitsOf, Order, type Sortable } from "./select.ts";

type Definitions = Pick<Draft, "models" | "blocks" | "projects">;

/** All searches of a draft. */
export function searchesOf(draft: Definitions): Search[] {
  const { models, blocks, projects } = draft;
  const ofFields = (kind: "model" | "block", { id, fields }: Model) =>
    fields.flatMap((field, index): Search[] => {
      const query = queryOf(field);
      if (query === undefined) return [];
      const { where = {}, sort = [], limit = DEFAULT_LIMIT } = query;
      return [
        {
          models: acceptedOf(models, (field as ReferenceField).models),
          where,
          sort,
          keys: new Set(askedKeys(query)),
          query: { field, beside: fields, limit },
          placeOf: (...path) => ({
            kind,
            id,
            path: jsonPointer(["fields", index, "query", ...path]),
          }),
        },
      ];
    });
  return [
    ...models.flatMap((model) => ofFields("model", model)),
    ...blocks.flatMap((block) => ofFields("block", block)),
    ...projects.flatMap((one) => {
      const { definitions, byValue } = collectionsOf(draft, one);
      return [...definitions, ...byValue].map(({ search }) => search);
    }),
  ];
}

/** Q9: so many entries a query tests, where buckets do not say which of them fit. */
const MAXIMUM_TESTS = 10_000;

/** Q9: so many values (combinations of values) of the record in which it stands a query compares. */
const MAXIMUM_KEYS = 1000;

/** Q8: what the queries of a draft find, by an index for each and for each language, made when it is asked. */
export class Queries {
  readonly #values: IndexedValues;
  readonly #byField: ReadonlyMap<FieldDefinition, Query>;
  /** By its place, which is the same in other states of the draft. */
  readonly #byPlace: ReadonlyMap<string, Query>;

  constructor(values: IndexedValues) {
    this.#values = values;
    const all = values.searches.flatMap((one) => (isQuery(one) ? new Query(one) : []));
    this.#byField = new Map(all.map((one) => [one.search.query.field, one]));
    this.#byPlace = new Map(all.map((one) => [one.place, one]));
  }

  /** @param language by number */
  find(field: FieldDefinition, { id, valuesOf }: Asker, language: number): Found {
    const query = this.#byField.get(field) as Query;
    const valuesFor = ({ same }: Link) =>
      same === undefined ? [id ?? NONE].flat() : valuesOf(same);
    const asked = { query: query.place, language, id, values: query.links.map(valuesFor) };
    return { asked, ...query.index(this.#values, language).find(asked) };
  }

  /** Whether a query of the same definitions and languages finds what another state of the draft has found. */
  isSame({ asked, ...found }: Found): boolean {
    const query = this.#byPlace.get(asked.query);
    const now = query?.index(this.#values, asked.language).find(asked);
    return JSON.stringify(now) === JSON.stringify(found);
  }
}

/** A condition that depends on the record in which the query stands. */
interface Link {
  readonly key: string;
  /** The field of that record; undefined: the id of the entry. */
  readonly same: string | undefined;
}

type QuerySearch = Search & { readonly query: SearchingField };

function isQuery(search: Search): search is QuerySearch {
  return search.query !== undefined;
}

class Query {
  readonly search: QuerySearch;
  readonly place: string;
  readonly links: readonly Link[];
  readonly #isLocalized: boolean;
  readonly #indexes = new Map<number, QueryIndex>();

  constructor(search: QuerySearch) {
    this.search = search;
    this.place = JSON.stringify(search.placeOf());
    this.links = Object.entries(search.where).flatMap(([key, condition]): Link[] => {
      const same = typeof condition === "object" ? condition.same : undefined;
      return same === undefined && condition !== SELF ? [] : [{ key, same }];
    });
    this.#isLocalized = askedFields(search).some(({ localized }) => localized);
  }

  index(values: IndexedValues, language: number): QueryIndex {
    const own = this.#isLocalized || values.lookup.differsByLanguage ? language : 0;
    const known = this.#indexes.get(own) ?? new QueryIndex(this, values, own);
    this.#indexes.set(own, known);
    return known;
  }
}

/** An entry that fits the conditions that depend on no record. */
interface Candidate extends Sortable {
  /** Its values of the links that buckets do not say. */
  readonly tested: readonly (readonly Scalar[])[];
}

/**
 * Q8: the entries that fit the static conditions of a query in one language, sorted, in a bucket for each
 * value (combination of values) that its other conditions ask for.
 */
class QueryIndex {
  readonly #limit: number;
  readonly #order: Order;
  /** The places of all links to single values, and of one to repeatable ones, so that an entry is in few buckets. */
  readonly #grouped: readonly number[];
  readonly #tested: readonly number[];
  readonly #buckets = new Map<string, Candidate[]>();

  constructor({ search, links }: Query, values: IndexedValues, language: number) {
    const { models, where, sort, query } = search;
    this.#limit = query.limit;
    this.#order = new Order(values, sort);
    const fields = askedFields(search);
    const isMany = (at: number) => {
      const { key, same } = links[at] as Link;
      const compared = [
        ...fields.filter((one) => one.key === key),
        ...query.beside.filter((one) => one.key === same),
      ];
      return compared.some(({ repeatable }) => repeatable);
    };
    const places = [...links.keys()];
    const [many, ...tested] = places.filter(isMany);
    this.#grouped = [...places.filter((at) => !isMany(at)), ...(many === undefined ? [] : [many])];
    this.#tested = tested;
    const { lookup } = values;
    const fits = fitsOf(values, where, lookup.view.at);
    const locale = lookup.localeOf(language);
    for (const head of models.flatMap((model) => values.headsOf(model.id))) {
      if (lookup.hiddenBy(head.id, locale) !== undefined || !fits(head, language)) continue;
      const valuesAt = (at: number) => values.of(head, (links[at] as Link).key, language);
      const tested = this.#tested.length === 0 ? NONE : this.#tested.map(valuesAt);
      const candidate = { ...this.#order.sortable(head, language), tested };
      for (const key of tuples(this.#grouped.map(valuesAt))) {
        const bucket = this.#buckets.get(key);
        if (bucket === undefined) this.#buckets.set(key, [candidate]);
        else bucket.push(candidate);
      }
    }
    for (const bucket of this.#buckets.values()) bucket.sort(this.#order.compare);
  }

  find({ id, values }: Asked): { readonly ids: readonly string[]; readonly isExceeded: boolean } {
    const every = tuples(this.#grouped.map((at) => values[at] as readonly Scalar[]));
    const lists = every.slice(0, MAXIMUM_KEYS).map((key) => this.#buckets.get(key) ?? NONE);
    // Itself it does not find.
    const most = 1 + (this.#tested.length > 0 ? MAXIMUM_TESTS : this.#limit);
    const first = lists.map((list) => list.slice(0, most));
    const all = first.length > 1 ? [...new Set(first.flat())].sort(this.#order.compare) : first[0];
    const sets = this.#tested.map((at) => new Set(values[at]));
    const ids: string[] = [];
    for (const candidate of (all ?? []).slice(0, most)) {
      if (ids.length === this.#limit) break;
      if (candidate.id === id) continue;
      const fits = candidate.tested.every((own, at) => own.some((one) => sets[at]?.has(one)));
      if (fits) ids.push(candidate.id);
    }
    const isCut = this.#tested.length > 0 && lists.some(({ length }) => length > MAXIMUM_TESTS);
    const isExceeded = every.length > MAXIMUM_KEYS || (isCut && ids.length < this.#limit);
    return { ids, isExceeded };
  }
}

const NONE: readonly never[] = [];

/** All combinations of a value of each list, as texts. */
function tuples(lists: readonly (readonly Scalar[])[]): string[] {
  let all: readonly (readonly Scalar[])[] = [[]];
  for (const list of lists) all = all.flatMap((tuple) => list.map((value) => [...tuple, value]));
  return all.map((tuple) => JSON.stringify(tuple));
}
