import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { countPlan } from "./apply-plan.ts";
import { DEFAULT_KEEP, type FreezeOptions, freezeVersion } from "./freeze-version.ts";
import { planOut } from "./plan-out.ts";
import { isPublished, type Published } from "./published.ts";
import {
  countRemovals,
  DEFAULT_REMOVAL_LIMIT,
  type DocumentRemovals,
  type PublishLimits,
} from "./removal-limit.ts";
import type { VersionStore } from "./version-store.ts";

/** The result that `publish` would have: it runs in a transaction that is rolled back. */
export function planPublish<T = undefined>(
  store: VersionStore,
  workspace: WorkspaceRow,
  out: string,
  options: FreezeOptions & PublishLimits,
  /** Called within the transaction; `from`: the store's version that would be replaced. */
  inspect?: (versions: { from: string | undefined; to: string }) => T,
): Published & { inspected: T | undefined; removals: DocumentRemovals } {
  return dryRun(store, () => {
    const from = store.history.current(workspace.number);
    const frozen = freezeVersion(store, workspace, { ...options, keep: Number.POSITIVE_INFINITY });
    const plan = planOut(store, workspace, frozen.versionId, out, options.onProgress);
    const { maxRemovals = DEFAULT_REMOVAL_LIMIT } = options;
    const removals = countRemovals(store, workspace, from, plan, maxRemovals);
    const inspected = inspect?.({ from, to: frozen.versionId });
    const pruned = store.history.prune(workspace.number, options.keep ?? DEFAULT_KEEP);
    const published = isPublished(store, frozen, plan.replaced);
    const files = countPlan(plan);
    return { workspaceId: workspace.id, ...frozen, published, pruned, files, inspected, removals };
  });
}

/** Runs `work` in a write transaction and rolls it back. */
function dryRun<T>(store: VersionStore, work: () => T): T {
  const rollback = new Error("rollback");
  let result: { value: T } | undefined;
  try {
    store.write(() => {
      result = { value: work() };
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && result !== undefined) return result.value;
    throw error;
  }
  throw rollback;
}
