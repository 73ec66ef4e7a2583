/** A value that can be compared; of a reference it is the id of the entry that it points at. */
export type Scalar = string | number | boolean;

/** Q3, Q4: in a query, that a field points at the entry in which the query stands. */
export const SELF = "$self";

/** Q5: in place of a date, the reading of the clock (A4). */
export const NOW = "$now";

/** Q4, Q5: what the values of a field are compared with, if not with a constant. */
export interface Comparison {
  /** The key of a field of the record in which the query stands: the two share a value. */
  readonly same?: string;
  /** A date, a date-time, or `NOW`; strictly. */
  readonly before?: string;
  readonly after?: string;
}

/** Q3: by the key of a field; all must hold. */
export type Conditions = Readonly<Record<string, Scalar | Comparison>>;

/** Q6: the keys of fields, `-` before one that is descending. */
export type Sort = string | readonly string[];

/** Q1: which entries a reference field has for its value. */
export interface Query {
  readonly where?: Conditions;
  readonly sort?: Sort;
  /** From 1. */
  readonly limit?: number;
}

/** Q1: of a query. */
export const MAXIMUM_LIMIT = 1000;
export const DEFAULT_LIMIT = 20;

/** Q9: of the pointers that the queries of one record find, and those of one document together. */
export const MAXIMUM_FOUND = 10_000;

/** Q7a: of conditions, and of fields to sort by, of one search. */
export const MOST_COMPARED = 20;

/** Q7a: of fields with a query in one model or block. */
export const MOST_QUERIES = 100;

/** The keys of the fields that entries are found and sorted by. */
export function askedKeys({ where = {}, sort }: Pick<Query, "where" | "sort">): string[] {
  return [...Object.keys(where), ...sortKeys(sort).map(({ key }) => key)];
}

/** Q6: the fields to sort by. */
export function sortKeys(sort: Sort = []): { readonly key: string; readonly isDown: boolean }[] {
  return [sort].flat().map((text) => {
    const isDown = text.startsWith("-");
    return { key: isDown ? text.slice(1) : text, isDown };
  });
}
