import { addressOfFilePath } from "../documents/address.ts";
import { assertRemovalLimit, type Removals } from "../workspace/errors.ts";
import type { Frozen } from "./freeze.ts";
import type { DraftSource } from "./outcome.ts";
import type { OutPlan } from "./plan-out.ts";

/** How many documents a publish may remove: a number, or a part of those that are published. */
export type RemovalLimit = { readonly count: number } | { readonly percent: number };

export interface PublishLimits {
  /** R12; absent: no limit. */
  readonly maxRemovals?: RemovalLimit;
}

export const DEFAULT_REMOVAL_LIMIT = { percent: 20 };

/** A percentage allows this many on a small site too. */
const MIN_LIMIT = 3;

/** The documents that a publish removes. */
export interface DocumentRemovals extends Removals {
  /** Of how many that were published before. */
  readonly of: number;
}

/**
 * R12a: the addresses of the version that was current, or without one of what `out/` has, that the
 * planned version does not have.
 */
export function countRemovals(
  source: DraftSource,
  { from }: Frozen,
  plan: OutPlan,
  limit: RemovalLimit,
): DocumentRemovals {
  const before =
    source.kind === "folder" || from === undefined
      ? plan.pathsBefore
      : source.store.versions.paths(source.workspace.number, from);
  const documents = before.filter((path) => addressOfFilePath(path) !== undefined);
  const after = new Set(plan.paths);
  const count = documents.filter((path) => !after.has(path)).length;
  const of = documents.length;
  return { count, of, limit: allowed(limit, of) };
}

function allowed(limit: RemovalLimit, published: number): number {
  if ("count" in limit) return limit.count;
  return Math.max(MIN_LIMIT, Math.floor((limit.percent * published) / 100));
}

/** @throws SvcError `too-many-removals`. */
export function assertRemovals(removals: DocumentRemovals): void {
  const { count, of } = removals;
  const refusal = { code: "too-many-removals", option: "--max-removals" } as const;
  assertRemovalLimit(removals, `${count} of ${of} documents`, "what is published", refusal);
}
