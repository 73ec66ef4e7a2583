import type { Asker, Found } from "../fields/renderer.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { QueryIndex, type Searched } from "./query-index.ts";
import { askedFields, type Search, type SearchingField } from "./searches.ts";

/** An earlier state of the same searches, with the dates that they compare on the same side of the clock. */
interface Since {
  readonly earlier: Queries;
  /** The ids of entries whose record, or whose being shown, may have changed. */
  readonly touched: ReadonlySet<string>;
}

/** Q8: what the queries of a draft find, by an index for each and for each language, made when it is asked. */
export class Queries {
  readonly #searches: ReadonlyMap<FieldDefinition, Numbered>;
  readonly #searched: Searched;
  readonly #differByLanguage: boolean;
  /** By number and language. */
  readonly #indexes = new Map<string, QueryIndex>();
  /** What is found that differs from the earlier state, as texts of `Found.asked`; undefined: there is none. */
  readonly #changed: Set<string> | undefined;

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
    if (since === undefined) return;
    this.#changed = new Set();
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
    const changed = this.#changed;
    return asked.length === 0 || (changed !== undefined && !asked.some((one) => changed.has(one)));
  }
}

interface Numbered {
  readonly number: number;
  readonly search: Search & { readonly query: SearchingField };
  readonly isLocalized: boolean;
}
