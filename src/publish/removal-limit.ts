import { addressOfFilePath } from "../documents/address.ts";
import { assertRemovalLimit, type Removals } from "../workspace/assert-removal-limit.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { OutPlan } from "./plan-out.ts";
import type { VersionStore } from "./version-store.ts";

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
 * R12: the addresses of the version that was current, or without one of what `out/` has, that the
 * planned version does not have.
 */
export function countRemovals(
  store: VersionStore,
  { number }: WorkspaceRow,
  from: string | undefined,
  plan: OutPlan,
  limit: RemovalLimit,
): DocumentRemovals {
  const before = from === undefined ? plan.pathsBefore : store.versions.paths(number, from);
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
  const refusal = { code: "too-many-removals", option: "--max-removals" };
  assertRemovalLimit(removals, `${count} of ${of} documents`, "what is published", refusal);
}
