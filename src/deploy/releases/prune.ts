import { SvcError } from "../../workspace/errors.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { KeyValues } from "../key-value-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { assertDeleteLimit, deleteFailed } from "../refusals.ts";
import { ASSETS, previewedKey, releaseFolder } from "./keys.ts";
import {
  type ListedRelease,
  listReleases,
  pinnedReleases,
  type ReleaseStores,
  readRelease,
} from "./list-releases.ts";
import { liveLog } from "./pointers.ts";
import { dropPreviews, previewOf, previewsIn } from "./previews.ts";
import { isShared, manifestKey } from "./release.ts";
import { Removal, removeOldClaims } from "./removal.ts";

/** Releases of a workspace that are kept in addition to live and pinned ones (L4). */
const KEPT = 5;
/** Objects of one request (S3). */
const BATCH = 1_000;
/** Milliseconds: younger objects may belong to a deploy that is running. */
const GRACE_PERIOD = 24 * 3_600_000;

export interface PruneVerdict {
  readonly release: string;
  readonly keep: boolean;
  readonly reason: string;
}

export interface PrunePlan {
  readonly verdicts: readonly PruneVerdict[];
  /** Keys by release, the manifest first: a release removed in part is then incomplete. */
  readonly releases: ReadonlyMap<string, readonly string[]>;
  /** Keys of assets that no remaining release uses. */
  readonly assets: readonly string[];
  /** L15: the names of previews that have expired. */
  readonly previews: readonly string[];
}

/** L4: plans which releases and assets to remove; read-only. */
export async function planPrune(
  stores: ReleaseStores,
  work: Work,
  { now, workspaceId }: { readonly now: Date; readonly workspaceId?: string | undefined },
): Promise<PrunePlan> {
  const { objects } = stores;
  const { releases: found, state } = await listReleases(stores, work, workspaceId);
  const isOfPreviews = (id: string) => state.values.get(previewedKey(id)) === objects.name;
  assertLiveReleases(found, stores.pointers.arn, isOfPreviews);
  const verdicts: PruneVerdict[] = [];
  const releases = new Map<string, readonly string[]>();
  for (const verdict of retentionVerdicts(found, state, now)) {
    const listed = verdict.keep ? undefined : await keysOf(objects, verdict.release, now);
    const isRecent = listed === "too-recent";
    verdicts.push(isRecent ? { ...verdict, keep: true, reason: RECENT } : verdict);
    if (listed !== undefined && !isRecent) releases.set(verdict.release, listed);
  }
  const assets = await unusedAssets(stores, work, new Set(releases.keys()), now);
  const expired = previewsIn(state).filter(({ expiresAt }) => expiresAt <= now);
  return { verdicts, releases, assets, previews: expired.map(({ name }) => name) };
}

/**
 * @throws SvcError `nothing-live` when no release of a workspace is live: the KeyValueStore is
 *   probably that of another bucket. A store of previews of this bucket may have none (L15).
 */
function assertLiveReleases(
  releases: readonly ListedRelease[],
  arn: string,
  isOfPreviews: (workspaceId: string) => boolean,
): void {
  const complete = releases.filter(({ deployedAt }) => deployedAt !== null);
  const ids = complete.map(({ workspaceId }) => workspaceId);
  const workspaces = new Set(ids.filter((id) => !isOfPreviews(id)));
  for (const { workspaceId, live } of releases) if (live.length > 0) workspaces.delete(workspaceId);
  const [workspaceId] = workspaces;
  if (workspaceId === undefined) return;
  throw new SvcError(
    "nothing-live",
    `${arn} has no live release of "${workspaceId}": it may belong to another bucket`,
    { hint: "check --kvs; a workspace is only pruned while one of its releases is live" },
  );
}

const RECENT = "incomplete, younger than 24 hours: a deploy may be running";

function retentionVerdicts(
  releases: readonly ListedRelease[],
  state: KeyValues,
  now: Date,
): readonly PruneVerdict[] {
  return releases.map((one) => {
    const { release, workspaceId, deployedAt, live, isPinned } = one;
    const kept = (reason: string) => ({ release, keep: true, reason });
    if (live.length > 0) return kept(`live for ${live.join(", ")}`);
    if (isPinned) return kept("pinned");
    const preview = previewOf(state, release, now);
    if (preview !== undefined) return kept(`the preview ${preview.name}`);
    if (deployedAt === null) return { release, keep: false, reason: "incomplete" };
    if (+now - +deployedAt < GRACE_PERIOD) return kept("younger than 24 hours");
    if (lastReleases(releases, state, workspaceId).includes(release))
      return kept(`one of the last ${KEPT}`);
    return { release, keep: false, reason: `older than the last ${KEPT}` };
  });
}

/** The last releases that have been live, filled up with the newest others. */
function lastReleases(
  releases: readonly ListedRelease[],
  state: KeyValues,
  workspaceId: string,
): string[] {
  const complete = releases.flatMap((one) =>
    one.workspaceId === workspaceId && one.deployedAt !== null ? one.release : [],
  );
  const wereLive = liveLog(state, workspaceId).filter((release) => complete.includes(release));
  return [...new Set([...wereLive, ...complete])].slice(0, KEPT);
}

/** The keys of a release; "too-recent" for an incomplete one to which objects were added lately. */
async function keysOf(
  objects: ObjectStore,
  release: string,
  now: Date,
): Promise<readonly string[] | "too-recent"> {
  const manifest = manifestKey(release);
  const keys: string[] = [];
  let hasManifest = false;
  let newest = 0;
  for await (const { key, lastModified } of objects.list(releaseFolder(release))) {
    if (key === manifest) hasManifest = true;
    else keys.push(key);
    newest = Math.max(newest, +lastModified);
  }
  if (!hasManifest && +now - newest < GRACE_PERIOD) return "too-recent";
  return hasManifest ? [manifest, ...keys] : keys;
}

/** Keys of assets, older than the grace period, that only removed releases use. */
async function unusedAssets(
  { objects, pointers }: ReleaseStores,
  work: Work,
  removed: ReadonlySet<string>,
  now: Date,
): Promise<string[]> {
  const unused: string[] = [];
  for await (const { key, lastModified } of objects.list("assets/")) {
    if (+now - +lastModified >= GRACE_PERIOD && ASSET.test(key)) unused.push(key);
  }
  if (unused.length === 0) return [];
  // Of all workspaces: they share the assets.
  const { releases } = await listReleases({ objects, pointers }, work);
  const remaining = releases.filter(({ release }) => !removed.has(release));
  // The assets of an incomplete release are unknown.
  if (remaining.some(({ deployedAt }) => deployedAt === null)) return [];
  const used = new Set<string>();
  await forEach(remaining, work, "manifests read", async ({ release }) => {
    const { manifest } = await readRelease(objects, release);
    for (const path of Object.keys(manifest.files)) if (isShared(path)) used.add(path);
  });
  const found: string[] = [];
  const candidates = unused.filter((key) => !used.has(key));
  await forEach(candidates, work, "assets checked", async (key) => {
    // Objects of other programs have no such metadata.
    if ((await objects.head(key))?.sha256 !== undefined) found.push(key);
  });
  return found.sort();
}

/** F1. */
const ASSET = /^assets\/[0-9a-f]{16}\/[^/]+$/;

/** The number of objects that a plan removes. */
export function deletesOf({ releases, assets }: PrunePlan): number {
  return [...releases.values()].reduce((sum, keys) => sum + keys.length, assets.length);
}

/**
 * Applies a prune plan. L4a: each release is marked first, if it is not live; one that has become live
 * or was pinned meanwhile is kept. A prune that fails leaves its claim, which loses its meaning.
 *
 * @returns the number of objects removed, and the releases kept in deviation from the plan.
 * @throws SvcError `too-many-deletes`, before anything is removed; `delete-failed` with the keys that
 *   the store did not remove; `release-being-removed` when its claim became too old.
 */
export async function prune(
  plan: PrunePlan,
  stores: ReleaseStores,
  work: Work,
  { now, maxDeletes }: { readonly now: Date; readonly maxDeletes: number },
): Promise<{ removed: number; spared: string[] }> {
  const { objects, pointers } = stores;
  const total = deletesOf(plan);
  assertDeleteLimit(total, maxDeletes, objects.name);
  await removeOldClaims(pointers);
  await dropPreviews(pointers, ({ expiresAt }) => expiresAt <= now);
  const spared: string[] = [];
  let removed = 0;
  const remove = async (removal: Removal, choose: () => Promise<readonly string[]>) => {
    let isAnswered = true;
    try {
      const keys = await choose();
      for (let at = 0; at < keys.length; at += BATCH) {
        work.signal.throwIfAborted();
        const batch = keys.slice(at, at + BATCH);
        isAnswered = false;
        const failed = await objects.delete(batch, undefined, removal.assertClaimed);
        isAnswered = true;
        if (failed.length > 0) throw deleteFailed(objects, batch.length, failed);
        removed += batch.length;
        work.onProgress(removed, total, "objects removed");
      }
    } finally {
      // A request without a response may be carried out later.
      await removal.end(isAnswered);
    }
  };
  for (const [release, keys] of plan.releases) {
    const removal = await Removal.begin(pointers, release);
    if (removal === undefined) {
      spared.push(release);
      continue;
    }
    await remove(removal, async () => {
      // After the claim: a pin is put before claims are read (pinRelease).
      const isPinned = (await pinnedReleases(objects)).has(release);
      if (isPinned) spared.push(release);
      return isPinned ? [] : keys;
    });
  }
  if (plan.assets.length === 0) return { removed, spared };
  const removal = await Removal.begin(pointers, ASSETS);
  if (removal === undefined) return { removed, spared };
  await remove(removal, async () => {
    // A release that was uploaded since may use them.
    const unused = new Set(await unusedAssets(stores, work, new Set(), now));
    return plan.assets.filter((key) => unused.has(key));
  });
  return { removed, spared };
}

/** @throws SvcError `delete-failed`. */
export async function removeAll(objects: ObjectStore, keys: readonly string[]): Promise<void> {
  const failed = await objects.delete(keys);
  if (failed.length > 0) throw deleteFailed(objects, keys.length, failed);
}
