import { instantOf } from "../fields/iso-date.ts";
import {
  type Conditions,
  NOW,
  type Scalar,
  SELF,
  type Sort,
  sortKeys,
} from "../workspace/conditions.ts";
import type { EntryHead } from "../workspace/draft.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { IndexedValues } from "./indexed-values.ts";

/** Whether an entry fits in a language, by number. */
export type Fits = (head: EntryHead, language: number) => boolean;

/**
 * Q3, Q5: the conditions that depend on no other entry: those with constants and dates.
 *
 * @param at the reading of the clock; undefined: a date that is compared with it fits always
 */
export function fitsOf(values: IndexedValues, where: Conditions, at: number | undefined): Fits {
  const all = Object.entries(where).flatMap(([key, condition]): Fits[] => {
    if (typeof condition !== "object") {
      if (condition === SELF) return [];
      return [(head, language) => values.of(head, key, language).includes(condition)];
    }
    const limit = (time: string | undefined, otherwise: number) => {
      const instant = time === NOW ? at : time && instantOf(time);
      return instant === undefined || instant === "" ? otherwise : instant;
    };
    if (condition.before === undefined && condition.after === undefined) return [];
    const until = limit(condition.before, Number.POSITIVE_INFINITY);
    const from = limit(condition.after, Number.NEGATIVE_INFINITY);
    return [
      (head, language) =>
        values.instantsOf(head, key, language).some((time) => from < time && time < until),
    ];
  });
  return (head, language) => all.every((fits) => fits(head, language));
}

/** An entry with the values that it is sorted by. */
export interface Sortable {
  readonly id: string;
  readonly by: readonly (Scalar | undefined)[];
}

/** Q6: entries in the order of `sort`, then by id. */
export class Order {
  readonly #values: IndexedValues;
  readonly #keys: ReturnType<typeof sortKeys>;

  constructor(values: IndexedValues, sort: Sort) {
    this.#values = values;
    this.#keys = sortKeys(sort);
  }

  sortable(head: EntryHead, language: number): Sortable {
    const { id } = head;
    const by = this.#keys.map(({ key }) => {
      const isDate = this.#values.isDate(head, key);
      return isDate
        ? this.#values.instantsOf(head, key, language)[0]
        : this.#values.of(head, key, language)[0];
    });
    return { id, by };
  }

  readonly compare = (a: Sortable, b: Sortable): number => {
    for (let index = 0; index < this.#keys.length; index += 1) {
      const order = compareValues(a.by[index], b.by[index], this.#keys[index]?.isDown === true);
      if (order !== 0) return order;
    }
    return byCodeUnit(a.id, b.id);
  };
}

/** No value comes last in both directions; values of different types, of different models, by type. */
function compareValues(a: Scalar | undefined, b: Scalar | undefined, isDown: boolean): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  const order = byCodeUnit(typeof a, typeof b) || (a < b ? -1 : 1);
  return isDown ? -order : order;
}
