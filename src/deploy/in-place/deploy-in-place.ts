import type { Work } from "../concurrent-work.ts";
import { type ObjectHead, type ObjectStore, PRECONDITION_FAILED } from "../object-store.ts";
import type { PublishedFolder } from "../published-folder.ts";
import { deleteFailed, objectConflict } from "../refusals.ts";
import { deploySuperseded, type Upload, uploadObjects } from "../upload.ts";
import { headersOf, type InPlaceManifest, type ManifestState, unsettled } from "./manifest.ts";
import { hasSameHeaders, type InPlacePlan, touchedBy } from "./plan-in-place.ts";
import { RunningMark } from "./running-mark.ts";

export interface InPlaceOptions {
  /** The same bucket, for the manifest: it stays usable a moment longer than `objects` after Ctrl-C. */
  readonly manifestStore: ObjectStore;
  /** Replace objects that svc did not put there. */
  readonly overwrite: boolean;
}

/** Whether a plan changes nothing, and no earlier deploy has to be completed. */
export function isDeployed(plan: InPlacePlan, { manifest }: ManifestState): boolean {
  return (
    plan.uploads.length === 0 &&
    plan.deletes.length === 0 &&
    // A killed deploy may have written every object of a version that the manifest does not name.
    Object.entries(plan.manifest.workspaces).every(
      ([id, one]) => manifest.workspaces[id] === one,
    ) &&
    manifest.deploy === undefined &&
    Object.keys(manifest.touched).length === 0
  );
}

/**
 * L5: applies a plan under a mark in the manifest: uploads in order, then removals, then the manifest.
 * The next run continues after a failure or a stop.
 *
 * @throws SvcError `deploy-running`, `deploy-superseded`, `conditional-writes-unsupported`,
 *   `object-in-the-way`, `delete-failed`, `file-changed`, and what the stores throw.
 */
export async function deployInPlace(
  published: PublishedFolder,
  plan: InPlacePlan,
  state: ManifestState,
  objects: ObjectStore,
  { manifestStore, overwrite }: InPlaceOptions,
  work: Work,
): Promise<void> {
  const mark = await RunningMark.begin(manifestStore, state, touchedBy(plan));
  const isSame = (seen: ObjectHead, { object }: Upload) =>
    seen.sha256 === object.sha256 &&
    seen.size === object.size &&
    hasSameHeaders({ headers: headersOf(seen) }, object);
  const assertReplaceable = (seen: ObjectHead, { key, reason, object }: Upload) => {
    const isNew = reason === "new" && !Object.hasOwn(unsettled(state.manifest), key);
    const isOther = seen.sha256 === undefined || (isNew && seen.sha256 !== object.sha256);
    if (!overwrite && isOther) throw objectConflict(objects, seen);
  };
  try {
    const beforeAttempt = () => mark.confirmAgain();
    const confirm = () => mark.confirm();
    const options = { objects, beforeAttempt, confirm, isSame, assertReplaceable };
    const etags = await uploadObjects(published, plan.uploads, options, work);
    await removeObjects(plan, objects, mark, work);
    await mark.finish(withEtags(plan.manifest, etags));
  } catch (error) {
    // The first error is the one to report.
    await mark.abandon().catch(() => {});
    throw error;
  }
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

/** L7: whether a plan changes something, or an unfinished deploy may have. */
export function hasChanges(plan: InPlacePlan, { manifest }: ManifestState): boolean {
  return Object.keys({ ...touchedBy(plan), ...unsettled(manifest) }).length > 0;
}
