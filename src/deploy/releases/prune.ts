import { assertDeleteLimit } from "../assert-delete-limit.ts";
import type { Work } from "../concurrent-work.ts";
import { deleteFailed } from "../delete-failed.ts";
import type { ObjectStore } from "../object-store.ts";
import { pinnedReleases } from "./list-releases.ts";
import { type PrunePlan, unusedAssets } from "./plan-prune.ts";
import type { ReleaseStores } from "./plan-release.ts";
import { livePointers } from "./pointers.ts";

/** Keys of one request. */
const BATCH = 1_000;

/** The number of objects that a plan removes. */
export function deletesOf({ releases, assets }: PrunePlan): number {
  return [...releases.values()].reduce((sum, keys) => sum + keys.length, assets.length);
}

/**
 * Applies a prune plan. The pointers are read again before each batch: a release that has become live
 * or was pinned meanwhile is kept.
 *
 * @returns the number of objects removed, and the releases kept in deviation from the plan.
 * @throws SvcError `too-many-deletes`, before anything is removed; `delete-failed` with the keys that
 *   the store did not remove.
 */
export async function prune(
  plan: PrunePlan,
  stores: ReleaseStores,
  work: Work,
  { now, maxDeletes }: { readonly now: Date; readonly maxDeletes: number },
): Promise<{ removed: number; spared: string[] }> {
  const { objects, pointers } = stores;
  const { signal, onProgress } = work;
  const total = deletesOf(plan);
  assertDeleteLimit(total, maxDeletes, objects.name);
  const spared: string[] = [];
  let removed = 0;
  const remove = async (keys: readonly string[]) => {
    signal.throwIfAborted();
    await removeAll(objects, keys);
    removed += keys.length;
    onProgress(removed, total, "objects removed");
  };
  for (const [release, keys] of plan.releases) {
    for (const batch of batchesOf(keys)) {
      const live = new Set(livePointers(await pointers.read()).values());
      const pinned = await pinnedReleases(objects);
      if (live.has(release) || pinned.has(release)) {
        spared.push(release);
        break;
      }
      await remove(batch);
    }
  }
  if (plan.assets.length === 0) return { removed, spared };
  // A release that was uploaded since may use them.
  const unused = new Set(await unusedAssets(stores, work, new Set(), now));
  const assets = plan.assets.filter((key) => unused.has(key));
  for (const batch of batchesOf(assets)) await remove(batch);
  return { removed, spared };
}

/** @throws SvcError `delete-failed`. */
export async function removeAll(objects: ObjectStore, keys: readonly string[]): Promise<void> {
  const failed = await objects.delete(keys);
  if (failed.length > 0) throw deleteFailed(objects, keys.length, failed);
}

function batchesOf(keys: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (let start = 0; start < keys.length; start += BATCH) {
    batches.push(keys.slice(start, start + BATCH));
  }
  return batches;
}
