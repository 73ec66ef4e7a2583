import { randomUUID } from "node:crypto";
import { UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { Cdn } from "../cdn.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import { inTheWay } from "../object-in-the-way.ts";
import type { ObjectHead, ObjectStore } from "../object-store.ts";
import { bodyOf, type PublishedFolder, textBody } from "../published-folder.ts";
import { removeAll } from "../releases/prune.ts";
import type { InPlaceManifest, InPlaceObject, PendingInvalidation } from "./in-place-manifest.ts";
import { type Accepted, invalidateAll, pathsToInvalidate } from "./invalidate.ts";
import { HeldClaim, type ManifestState } from "./lease.ts";
import { type InPlacePlan, PHASES, UNAVAILABLE, UNSURE, type Upload } from "./plan-in-place.ts";

export interface InPlaceOptions {
  /** The ids of the workspaces that the plan is for. */
  readonly workspaces: readonly string[];
  /** The same bucket, for the claim: it answers a moment longer than `objects` after a stop. */
  readonly claims: ObjectStore;
  /** A CloudFront distribution in front of the bucket. */
  readonly distribution: string | undefined;
  /** Whether objects that svc did not put there may be replaced. */
  readonly overwrite: boolean;
}

/** Whether a plan changes nothing: no request but the reading of the manifest is needed then. */
export function isDone(plan: InPlacePlan, { manifest }: ManifestState): boolean {
  return (
    plan.uploads.length === 0 &&
    plan.deletes.length === 0 &&
    manifest.claim === undefined &&
    manifest.invalidations.length === 0
  );
}

/**
 * Carries out a plan, as the only one at work in the bucket: uploads in order, removals when all of
 * them are done, and the manifest last. What fails or is stopped goes on with the next run.
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
): Promise<Accepted[]> {
  const changed = [...plan.uploads, ...plan.deletes].map(({ key }) => key);
  const { workspaces } = options;
  const claim = await HeldClaim.take(options.claims, state, { workspaces, touches: changed });
  const invalidations = [
    ...plan.manifest.invalidations,
    ...newInvalidations(options.distribution, changed),
  ];
  try {
    const signal = AbortSignal.any([work.signal, claim.lost]);
    const held = { ...work, signal };
    await upload(published.folder, plan.uploads, objects, { ...options, claim }, held);
    await remove(plan, objects, claim, held);
    await claim.finish({ ...plan.manifest, invalidations });
  } catch (error) {
    // The failure is what counts, not that nobody can be told of it.
    await claim.stop().catch(() => {});
    throw error;
  }
  return invalidate(claim, cdn, { ...plan.manifest, invalidations });
}

async function upload(
  folder: string,
  uploads: readonly Upload[],
  objects: ObjectStore,
  { claim, overwrite }: { readonly claim: HeldClaim; readonly overwrite: boolean },
  work: Work,
): Promise<void> {
  let before = 0;
  const onProgress = (done: number, _total: number, what: string) =>
    work.onProgress(before + done, uploads.length, what);
  for (const phase of PHASES) {
    const batch = uploads.filter((one) => one.phase === phase);
    await forEach(batch, { ...work, onProgress }, "objects uploaded", async (one) => {
      await claim.show();
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
  // Something may be there of which the manifest does not know what it is.
  const there = await objects.head(key);
  if (there === undefined || overwrite) return void (await put());
  if (there.sha256 === undefined) throw inTheWay(objects, there);
  if (isAsWanted(there, object)) return;
  if (reason === "new" && there.sha256 !== object.sha256) throw inTheWay(objects, there);
  await put();
}

function isAsWanted(there: ObjectHead, { sha256, size, headers }: InPlaceObject): boolean {
  return (
    there.sha256 === sha256 &&
    there.size === size &&
    there.contentType === headers["Content-Type"] &&
    there.cacheControl === headers["Cache-Control"]
  );
}

async function remove(
  plan: InPlacePlan,
  objects: ObjectStore,
  claim: HeldClaim,
  work: Work,
): Promise<void> {
  const deletes: string[] = [];
  for (const { key, reason } of plan.deletes) {
    if (reason !== UNSURE || (await objects.head(key))?.sha256) deletes.push(key);
  }
  for (let start = 0; start < deletes.length; start += 1_000) {
    work.signal.throwIfAborted();
    await claim.show();
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

/** The manifest holds what CloudFront has not accepted yet, until it has. */
async function invalidate(
  claim: HeldClaim,
  cdn: () => Cdn,
  manifest: InPlaceManifest,
): Promise<Accepted[]> {
  if (manifest.invalidations.length === 0) return [];
  const { accepted, rest, failures } = await invalidateAll(cdn(), manifest.invalidations);
  if (rest.length < manifest.invalidations.length) {
    await claim.write({ ...manifest, invalidations: rest }).catch((error: SvcError) => {
      // A deploy that has begun since asks once more, with the same references: they are known.
      if (error.code !== "deploy-running") throw error;
    });
  }
  const [failure] = failures;
  if (failure === undefined) return accepted;
  throw new SvcError(
    "invalidation-pending",
    `the files are deployed, but old ones are still served from a cache: ${failure.message}`,
    {
      hint:
        rest.length > 0
          ? "run svc deploy again: it asks for the invalidation anew"
          : "run svc deploy again with the right --distribution once something has changed, or invalidate it by hand",
    },
  );
}
