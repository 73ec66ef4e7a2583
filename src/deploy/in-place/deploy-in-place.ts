import { randomUUID } from "node:crypto";
import { SvcError } from "../../workspace/errors.ts";
import type { Work } from "../concurrent-work.ts";
import { type ObjectHead, type ObjectStore, PRECONDITION_FAILED } from "../object-store.ts";
import type { PublishedFolder } from "../published-folder.ts";
import { deleteFailed, objectConflict } from "../refusals.ts";
import { deploySuperseded, type Upload, uploadObjects } from "../upload.ts";
import {
  headersOf,
  type InPlaceManifest,
  MAX_PATHS,
  type ManifestState,
  type PendingInvalidation,
  unsettled,
} from "./manifest.ts";
import { hasSameHeaders, type InPlacePlan, touchedBy } from "./plan-in-place.ts";
import { RunningMark } from "./running-mark.ts";

/** What a deploy in place needs of a CDN. */
export interface Cdn {
  /**
   * Invalidates cached paths. Idempotent for the same reference and paths.
   *
   * @param paths URL paths, percent-encoded; a final `*` matches every path that starts so.
   * @returns the invalidation's id.
   */
  invalidate(distribution: string, reference: string, paths: readonly string[]): Promise<string>;
}

export interface InPlaceOptions {
  /** The same bucket, for the manifest: it stays usable a moment longer than `objects` after Ctrl-C. */
  readonly manifestStore: ObjectStore;
  /** A CloudFront distribution in front of the bucket. */
  readonly distribution: string | undefined;
  /** Replace objects that svc did not put there. */
  readonly overwrite: boolean;
}

export interface AcceptedInvalidation {
  readonly distribution: string;
  readonly id: string;
  /** The number of paths. */
  readonly paths: number;
}

/** Whether a plan changes nothing, and no earlier deploy has to be completed. */
export function isDeployed(
  plan: InPlacePlan,
  { manifest }: ManifestState,
  distribution: string | undefined,
): boolean {
  return (
    plan.uploads.length === 0 &&
    plan.deletes.length === 0 &&
    // A killed deploy may have written every object of a version that the manifest does not name.
    Object.entries(plan.manifest.workspaces).every(
      ([id, one]) => manifest.workspaces[id] === one,
    ) &&
    manifest.deploy === undefined &&
    Object.keys(manifest.touched).length === 0 &&
    pendingInvalidations(manifest, distribution).length === 0
  );
}

/**
 * L5: applies a plan under a mark in the manifest: uploads in order, then removals, then the manifest.
 * The next run continues after a failure or a stop.
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
  { manifestStore, distribution, overwrite }: InPlaceOptions,
  work: Work,
): Promise<AcceptedInvalidation[]> {
  const mark = await RunningMark.begin(manifestStore, state, touchedBy(plan));
  const changed = changedKeys(plan, state);
  const isSame = (seen: ObjectHead, { object }: Upload) =>
    seen.sha256 === object.sha256 &&
    seen.size === object.size &&
    hasSameHeaders({ headers: headersOf(seen) }, object);
  const assertReplaceable = (seen: ObjectHead, { key, reason, object }: Upload) => {
    const isNew = reason === "new" && !Object.hasOwn(unsettled(state.manifest), key);
    const isOther = seen.sha256 === undefined || (isNew && seen.sha256 !== object.sha256);
    if (!overwrite && isOther) throw objectConflict(objects, seen);
  };
  let requested: Awaited<ReturnType<typeof invalidateAll>>;
  try {
    const beforeAttempt = () => mark.confirmAgain();
    const confirm = () => mark.confirm();
    const options = { objects, beforeAttempt, confirm, isSame, assertReplaceable };
    const etags = await uploadObjects(published, plan.uploads, options, work);
    await removeObjects(plan, objects, mark, work);
    const pending = pendingInvalidations(plan.manifest, distribution);
    requested = await invalidateAll(cdn, [...pending, ...newInvalidations(distribution, changed)]);
    const others = plan.manifest.invalidations.filter((one) => one.distribution !== distribution);
    const invalidations = [...others, ...requested.rest];
    await mark.finish({ ...withEtags(plan.manifest, etags), invalidations });
  } catch (error) {
    // The first error is the one to report.
    await mark.abandon().catch(() => {});
    throw error;
  }
  const [failure] = requested.failures;
  if (failure !== undefined) throw invalidationPending(failure, requested.rest.length);
  return requested.accepted;
}

function withEtags(manifest: InPlaceManifest, etags: ReadonlyMap<string, string>): InPlaceManifest {
  const objects = Object.entries(manifest.objects).map(([key, object]) => {
    const etag = etags.get(key);
    return [key, etag === undefined ? object : { ...object, etag }] as const;
  });
  return { ...manifest, objects: Object.fromEntries(objects) };
}

async function removeObjects(
  { deletes }: InPlacePlan,
  objects: ObjectStore,
  mark: RunningMark,
  work: Work,
): Promise<void> {
  if (deletes.length === 0) return;
  work.signal.throwIfAborted();
  await mark.confirmAgain();
  const etags = new Map(deletes.map(({ key, etag = "" }) => [key, etag]));
  const failed = await objects.delete([...etags.keys()], etags);
  const changed = failed.filter(({ reason }) => reason.startsWith(PRECONDITION_FAILED));
  for (const { key } of changed) {
    // It is gone where an earlier attempt succeeded, and its response was lost.
    if ((await objects.head(key)) === undefined) continue;
    throw deploySuperseded(objects, `has changed ${key} meanwhile`);
  }
  const rest = failed.filter((one) => !changed.includes(one));
  if (rest.length > 0) throw deleteFailed(objects, deletes.length, rest);
}

/** The keys that a plan changes, and those that an unfinished deploy may have changed. */
export function changedKeys(plan: InPlacePlan, { manifest }: ManifestState): string[] {
  return Object.keys({ ...touchedBy(plan), ...unsettled(manifest) });
}

/** L7: the URL paths to invalidate when these keys have changed. */
export function pathsToInvalidate(keys: readonly string[]): string[] {
  if (keys.length > MAX_PATHS) return ["/*"];
  return keys.map((key) => `/${key.split("/").map(encoded).join("/")}`).sort();
}

function encoded(segment: string): string {
  // An unescaped star is a wildcard.
  return encodeURIComponent(segment).replaceAll("*", "%2A");
}

/**
 * L7, L13: those that were refused before. Only of the distribution that the deploy names: others may
 * have written the manifest, and have no say over what is invalidated with its credentials.
 */
export function pendingInvalidations(
  { invalidations }: InPlaceManifest,
  distribution: string | undefined,
): readonly PendingInvalidation[] {
  const pending = invalidations.filter((one) => one.distribution === distribution);
  if (distribution === undefined || pending.length <= MAX_PENDING) return pending;
  return [{ distribution, reference: randomUUID(), paths: ["/*"] }];
}

/** More than these are replaced by one of everything. */
const MAX_PENDING = 5;

function newInvalidations(
  distribution: string | undefined,
  changed: readonly string[],
): PendingInvalidation[] {
  if (distribution === undefined || changed.length === 0) return [];
  return [{ distribution, reference: randomUUID(), paths: pathsToInvalidate(changed) }];
}

/** Requests each invalidation, also after failures; `rest` are those to retry later (L7). */
async function invalidateAll(
  open: () => Promise<Cdn>,
  pending: readonly PendingInvalidation[],
): Promise<{ accepted: AcceptedInvalidation[]; rest: PendingInvalidation[]; failures: Error[] }> {
  const accepted: AcceptedInvalidation[] = [];
  const rest: PendingInvalidation[] = [];
  const failures: Error[] = [];
  if (pending.length === 0) return { accepted, rest, failures };
  const cdn = await open();
  for (const one of pending) {
    const { distribution, reference, paths } = one;
    try {
      const id = await cdn.invalidate(distribution, reference, paths);
      accepted.push({ distribution, id, paths: paths.length });
    } catch (error) {
      failures.push(error as Error);
      // Retries would fail forever.
      if ((error as SvcError).code !== "distribution-not-found") rest.push(one);
    }
  }
  return { accepted, rest, failures };
}

/** Failures that only a person can mend: status 4. */
const PERMANENT = ["access-denied", "credentials-missing", "distribution-not-found"] as const;

function invalidationPending(failure: Error, rest: number): SvcError {
  const permanent = PERMANENT.find((code) => code === (failure as SvcError).code);
  return new SvcError(
    permanent ?? "invalidation-pending",
    `the files are deployed, but caches still serve old ones: ${failure.message}`,
    {
      hint:
        rest > 0
          ? "run svc deploy again: it repeats the invalidation"
          : "check --distribution for the next deploy, and invalidate the right one by hand",
    },
  );
}
