import { randomUUID } from "node:crypto";
import { UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { Cdn } from "../cdn.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import { objectConflict } from "../object-conflict.ts";
import type { ObjectHead, ObjectStore } from "../object-store.ts";
import { bodyOf, type PublishedFolder, textBody } from "../published-folder.ts";
import { removeAll } from "../releases/prune.ts";
import type { InPlaceManifest, InPlaceObject, PendingInvalidation } from "./in-place-manifest.ts";
import { type AcceptedInvalidation, invalidateAll, pathsToInvalidate } from "./invalidate.ts";
import { Lease, type ManifestState } from "./lease.ts";
import { type InPlacePlan, PHASES, UNAVAILABLE, UNSURE, type Upload } from "./plan-in-place.ts";

export interface InPlaceOptions {
  /** The ids of the workspaces of the plan. */
  readonly workspaces: readonly string[];
  /** The same bucket, for the manifest: it stays usable a moment longer than `objects` after Ctrl-C. */
  readonly leaseStore: ObjectStore;
  /** A CloudFront distribution in front of the bucket. */
  readonly distribution: string | undefined;
  /** Replace objects that svc did not put there. */
  readonly overwrite: boolean;
}

/** Whether a plan changes nothing, and no earlier deploy has to be completed. */
export function isUpToDate(plan: InPlacePlan, { manifest }: ManifestState): boolean {
  return (
    plan.uploads.length === 0 &&
    plan.deletes.length === 0 &&
    manifest.claim === undefined &&
    manifest.invalidations.length === 0
  );
}

/**
 * Applies a plan under a lease: uploads in order, then removals, then the manifest. The next run
 * continues after a failure or a stop.
 *
 * @throws SvcError `deploy-running`, `object-in-the-way`, `delete-failed`, `file-changed`,
 *   `invalidation-pending`, and what the stores throw.
 */
export async function deployInPlace(
  published: PublishedFolder,
  plan: InPlacePlan,
  state: ManifestState,
  objects: ObjectStore,
  cdn: () => Cdn,
  options: InPlaceOptions,
  work: Work,
): Promise<AcceptedInvalidation[]> {
  const changed = [...plan.uploads, ...plan.deletes].map(({ key }) => key);
  const { workspaces } = options;
  const lease = await Lease.acquire(options.leaseStore, state, { workspaces, touches: changed });
  const invalidations = [
    ...plan.manifest.invalidations,
    ...newInvalidations(options.distribution, changed),
  ];
  try {
    const signal = AbortSignal.any([work.signal, lease.lost]);
    const leased = { ...work, signal };
    await upload(published.folder, plan.uploads, objects, { ...options, lease }, leased);
    await remove(plan, objects, lease, leased);
    await lease.finish({ ...plan.manifest, invalidations });
  } catch (error) {
    // The first error is the one to report.
    await lease.markStopped().catch(() => {});
    throw error;
  }
  return invalidate(lease, cdn, { ...plan.manifest, invalidations });
}

async function upload(
  folder: string,
  uploads: readonly Upload[],
  objects: ObjectStore,
  { lease, overwrite }: { readonly lease: Lease; readonly overwrite: boolean },
  work: Work,
): Promise<void> {
  let before = 0;
  const onProgress = (done: number, _total: number, what: string) =>
    work.onProgress(before + done, uploads.length, what);
  for (const phase of PHASES) {
    const batch = uploads.filter((one) => one.phase === phase);
    await forEach(batch, { ...work, onProgress }, "objects uploaded", async (one) => {
      await lease.renewIfStale();
      await putOne(folder, one, objects, overwrite);
    });
    before += batch.length;
  }
}

async function putOne(
  folder: string,
  { key, path, object, reason }: Upload,
  objects: ObjectStore,
  overwrite: boolean,
): Promise<void> {
  const body = path === UNAVAILABLE ? textBody(UNAVAILABLE_DOCUMENT) : bodyOf(folder, path, object);
  const put = objects.put.bind(objects, key, body, object.headers);
  if (reason !== "new" && reason !== UNSURE) return void (await put());
  if (reason === "new" && (await put({ ifAbsent: true })) !== undefined) return;
  // The key may have an object that is not in the manifest.
  const existing = await objects.head(key);
  if (existing === undefined || overwrite) return void (await put());
  if (existing.sha256 === undefined) throw objectConflict(objects, existing);
  if (isSameObject(existing, object)) return;
  if (reason === "new" && existing.sha256 !== object.sha256)
    throw objectConflict(objects, existing);
  await put();
}

function isSameObject(existing: ObjectHead, { sha256, size, headers }: InPlaceObject): boolean {
  return (
    existing.sha256 === sha256 &&
    existing.size === size &&
    existing.contentType === headers["Content-Type"] &&
    existing.cacheControl === headers["Cache-Control"]
  );
}

async function remove(
  plan: InPlacePlan,
  objects: ObjectStore,
  lease: Lease,
  work: Work,
): Promise<void> {
  const deletes: string[] = [];
  for (const { key, reason } of plan.deletes) {
    if (reason !== UNSURE || (await objects.head(key))?.sha256) deletes.push(key);
  }
  for (let start = 0; start < deletes.length; start += 1_000) {
    work.signal.throwIfAborted();
    await lease.renewIfStale();
    const batch = deletes.slice(start, start + 1_000);
    await removeAll(objects, batch);
    work.onProgress(start + batch.length, deletes.length, "objects removed");
  }
}

function newInvalidations(
  distribution: string | undefined,
  changed: readonly string[],
): PendingInvalidation[] {
  if (distribution === undefined || changed.length === 0) return [];
  return [{ distribution, reference: randomUUID(), paths: pathsToInvalidate(changed) }];
}

/** Pending invalidations stay in the manifest until CloudFront has accepted them. */
async function invalidate(
  lease: Lease,
  cdn: () => Cdn,
  manifest: InPlaceManifest,
): Promise<AcceptedInvalidation[]> {
  if (manifest.invalidations.length === 0) return [];
  const { accepted, rest, failures } = await invalidateAll(cdn(), manifest.invalidations);
  if (rest.length < manifest.invalidations.length) {
    await lease.write({ ...manifest, invalidations: rest }).catch((error: SvcError) => {
      // A deploy that has started since repeats the requests; their references make that harmless.
      if (error.code !== "deploy-running") throw error;
    });
  }
  const [failure] = failures;
  if (failure === undefined) return accepted;
  throw new SvcError(
    "invalidation-pending",
    `the files are deployed, but caches still serve old ones: ${failure.message}`,
    {
      hint:
        rest.length > 0
          ? "run svc deploy again: it repeats the invalidation"
          : "check --distribution for the next deploy, and invalidate the right one by hand",
    },
  );
}
