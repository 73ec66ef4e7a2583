import { randomUUID } from "node:crypto";
import { SvcError } from "../../workspace/errors.ts";
import type { Cdn } from "../cdn.ts";
import type { Work } from "../concurrent-work.ts";
import type { ObjectStore } from "../object-store.ts";
import type { PublishedFolder } from "../published-folder.ts";
import type { InPlaceManifest, PendingInvalidation } from "./in-place-manifest.ts";
import { type AcceptedInvalidation, invalidateAll, pathsToInvalidate } from "./invalidate.ts";
import { Lease } from "./lease.ts";
import type { ManifestState } from "./manifest-state.ts";
import type { InPlacePlan } from "./plan-in-place.ts";
import { observe, removeObjects, uploadObjects } from "./write-objects.ts";

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
export function isDeployed(plan: InPlacePlan, { manifest }: ManifestState): boolean {
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
 * @throws SvcError `deploy-running`, `deploy-superseded`, `conditional-writes-unsupported`,
 *   `object-in-the-way`, `delete-failed`, `file-changed`, `invalidation-pending`, and what the
 *   stores throw.
 */
export async function deployInPlace(
  published: PublishedFolder,
  plan: InPlacePlan,
  state: ManifestState,
  objects: ObjectStore,
  cdn: () => Promise<Cdn>,
  options: InPlaceOptions,
  work: Work,
): Promise<AcceptedInvalidation[]> {
  const changed = [...plan.uploads, ...plan.deletes].map(({ key }) => key);
  const { workspaces, overwrite } = options;
  // Before the lease: what a deploy writes that takes over is not seen.
  const observed = await observe(plan, objects, work);
  const lease = await Lease.acquire(options.leaseStore, state, { workspaces, touches: changed });
  const invalidations = [
    ...plan.manifest.invalidations,
    ...newInvalidations(options.distribution, changed),
  ];
  let manifest = { ...plan.manifest, invalidations };
  try {
    const signal = AbortSignal.any([work.signal, lease.lost]);
    const leased = { ...work, signal };
    const writing = { objects, lease, observed, overwrite };
    const etags = await uploadObjects(published.folder, plan.uploads, writing, leased);
    await removeObjects(plan, writing, leased);
    manifest = { ...manifest, objects: withEtags(manifest.objects, etags) };
    await lease.finish(manifest);
  } catch (error) {
    // The first error is the one to report.
    await lease.markStopped().catch(() => {});
    throw error;
  }
  return invalidate(lease, cdn, manifest);
}

function withEtags(
  objects: InPlaceManifest["objects"],
  etags: ReadonlyMap<string, string>,
): InPlaceManifest["objects"] {
  const put = [...etags].map(([key, etag]) => [key, { ...objects[key], etag }] as const);
  return { ...objects, ...(Object.fromEntries(put) as InPlaceManifest["objects"]) };
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
  cdn: () => Promise<Cdn>,
  manifest: InPlaceManifest,
): Promise<AcceptedInvalidation[]> {
  if (manifest.invalidations.length === 0) return [];
  const { accepted, rest, failures } = await invalidateAll(await cdn(), manifest.invalidations);
  if (rest.length < manifest.invalidations.length) {
    await lease.write({ ...manifest, invalidations: rest }).catch((error: SvcError) => {
      // A deploy that has started since repeats the requests; their references make that harmless.
      if (error.code !== "deploy-superseded") throw error;
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
