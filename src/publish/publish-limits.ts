import { addressOfFilePath } from "../documents/address.ts";
import { assertRemovalLimit, type Removals } from "../workspace/errors.ts";

/** How many documents a publish may remove: a number, or a part of those that are published. */
export type RemovalLimit = { readonly count: number } | { readonly percent: number };

export const DEFAULT_REMOVAL_LIMIT = { percent: 20 };

/** How many versions are kept by default (R8). */
export const DEFAULT_KEEP = 20;

/** R12b: of what a publish writes, in bytes. */
export const DEFAULT_MAX_SIZE = 2 ** 30;

/** A percentage allows this many on a small site too. */
const MIN_LIMIT = 3;

/** The documents that a publish removes. */
export interface DocumentRemovals extends Removals {
  /** Of how many that were published before. */
  readonly of: number;
}

/** R12a: the addresses of what is published now that the planned version does not have. */
export function countRemovals(
  before: readonly string[],
  after: readonly string[],
  limit: RemovalLimit,
): DocumentRemovals {
  const documents = before.filter((path) => addressOfFilePath(path) !== undefined);
  const has = new Set(after);
  const count = documents.filter((path) => !has.has(path)).length;
  const of = documents.length;
  return { count, of, limit: allowed(limit, of) };
}

function allowed(limit: RemovalLimit, published: number): number {
  if ("count" in limit) return limit.count;
  return Math.max(MIN_LIMIT, Math.floor((limit.percent * published) / 100));
}

export function assertRemovals(removals: DocumentRemovals): void {
  const { count, of } = removals;
  const refusal = { code: "too-many-removals", option: "--max-removals" } as const;
  assertRemovalLimit(removals, `${count} of ${of} documents`, "what is published", refusal);
}
