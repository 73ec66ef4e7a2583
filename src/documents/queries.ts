import type { Asker, Found } from "../fields/renderer.ts";
import { NOW } from "../workspace/conditions.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { QueryIndex, type Searched } from "./query-index.ts";
import { askedFields, type Search, type SearchingField, searchKey } from "./searches.ts";

/** An earlier state of the same draft. */
interface Since {
  readonly earlier: Queries;
  /** The ids of entries whose record, or whose being shown, may have changed. */
  readonly touched: ReadonlySet<string>;
  /** Whether the dates that conditions compare with the clock are still on the same side of it. */
  readonly isSameTime: boolean;
}

/** Q8: what the queries of a draft find, by an index for each and for each language, made when it is asked. */
export class Queries {
  readonly #searches: ReadonlyMap<FieldDefinition, Numbered>;
  readonly #searched: Searched;
  /** Of all searches together: equal where indexes may be taken over. */
  readonly #key: string;
  readonly #differByLanguage: boolean;
  /** By number and language. */
  readonly #indexes = new Map<string, QueryIndex>();
  /** Whether all indexes were taken over; then what else is found differs, as texts of `Found.asked`. */
  #isLater = false;
  readonly #changed = new Set<string>();

  /** @param differByLanguage whether the entries that are shown do. */
  constructor(
    searches: readonly Search[],
    searched: Searched,
    differByLanguage: boolean,
    since?: Since,
  ) {
    const own = searches.filter((one): one is Numbered["search"] => one.query !== undefined);
    this.#searches = new Map(
      own.map((search, number) => {
        const isLocalized = askedFields(search).some((one) => one.localized);
        return [search.query.field, { number, search, isLocalized }];
      }),
    );
    this.#searched = searched;
    this.#differByLanguage = differByLanguage;
    this.#key = JSON.stringify([differByLanguage, own.map(searchKey)]);
    if (since === undefined || since.earlier.#key !== this.#key) return;
    this.#isLater = since.isSameTime || !own.some(isClocked);
    if (!this.#isLater) return;
    for (const { number, search } of this.#searches.values()) {
      for (const language of new Set([0, ...searched.lookup.languages.keys()])) {
        const name = `${number} ${language}`;
        const earlier = since.earlier.#indexes.get(name);
        if (earlier === undefined) continue;
        const index = new QueryIndex(search, searched, language, { ...since, earlier });
        this.#indexes.set(name, index);
        for (const key of index.changed) this.#changed.add(`${name} ${key}`);
      }
    }
  }

  /** @param language by number */
  find(field: FieldDefinition, asker: Asker, language: number): Found {
    const { number, search, isLocalized } = this.#searches.get(field) as Numbered;
    const isSame = !this.#differByLanguage && !isLocalized;
    const name = `${number} ${isSame ? 0 : language}`;
    const index =
      this.#indexes.get(name) ?? new QueryIndex(search, this.#searched, isSame ? 0 : language);
    this.#indexes.set(name, index);
    const { keys, ...found } = index.find(asker);
    return { ...found, asked: keys.map((key) => `${name} ${key}`) };
  }

  /** Whether all that was found, as `Found.asked` says it, is what the earlier queries found. */
  isUnchanged(asked: readonly string[]): boolean {
    if (asked.length === 0) return true;
    return this.#isLater && !asked.some((one) => this.#changed.has(one));
  }
}

interface Numbered {
  readonly number: number;
  readonly search: Search & { readonly query: SearchingField };
  readonly isLocalized: boolean;
}

function isClocked({ where }: Search): boolean {
  return Object.values(where).some(
    (one) => typeof one === "object" && (one.before === NOW || one.after === NOW),
  );
}
