import { createHash } from "node:crypto";
import { type Headers, PROBLEM_HEADERS } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { KeyValues } from "../key-value-store.ts";
import { objectHeaders, RELEASED_HEADERS, UNCACHED_JSON } from "../object-headers.ts";
import type { ObjectBody, ObjectStore } from "../object-store.ts";
import { bodyOf, type PublishedFolder, textBody } from "../published-folder.ts";
import { applyFlip, refuseOvertaken } from "./apply-pointer-update.ts";
import { compareRelease, isSame, refuseDifferent } from "./compare-release.ts";
import { POINTER } from "./keys.ts";
import type { LivePlan, Places, ReleasePlan, UploadPlan } from "./plan-release.ts";
import { type Flip, planFlip } from "./pointers.ts";
import { isShared, manifestKey, type Release, type ReleaseFile, releaseKey } from "./release.ts";

/**
 * Puts releases into a bucket, the manifest of each last, and lists what is there. It may be run again:
 * what is there already is left alone, and nothing of a release is ever overwritten.
 *
 * @throws SvcError `release-differs`, `release-incomplete`, `file-changed`, and what the stores throw.
 */
export async function uploadReleases(
  published: PublishedFolder,
  { uploads, errorDocuments }: ReleasePlan,
  objects: ObjectStore,
  work: Work,
): Promise<void> {
  for (const [key, text] of errorDocuments) {
    await objects.put(key, textBody(text), PROBLEM_HEADERS);
  }
  for (const plan of uploads) {
    if (plan.uploads.length === 0 && plan.hasManifest) continue;
    await upload(published, plan, objects, work);
    await refuseIncomplete(objects, plan.release, work);
  }
}

/**
 * Makes releases live that a bucket has, and reads back that they are.
 *
 * @throws SvcError `deployed-meanwhile`, `release-incomplete`, and what the stores throw.
 */
export async function makeLive(
  { releases, pointers, flip }: LivePlan,
  places: Places,
  work: Work,
): Promise<void> {
  work.signal.throwIfAborted();
  await applyFlip(places.pointers, pointers, flip);
  const now = await places.pointers.read();
  refuseOvertaken(now, flip);
  refuseOvertaken(now, pointersOf(now, releases));
  if (flip.length === 0) return;
  // A prune that had looked at the pointers before may have removed some of it.
  for (const release of releases) await refuseIncomplete(places.objects, release, work);
}

/** What ought not to be left to do. */
function pointersOf(now: KeyValues, releases: readonly Release[]): Flip {
  return planFlip(now, releases).filter(({ key }) => key.startsWith(POINTER));
}

async function upload(
  { folder }: PublishedFolder,
  { release, uploads }: UploadPlan,
  objects: ObjectStore,
  work: Work,
): Promise<void> {
  const { files } = release.manifest;
  const put = putOnce.bind(undefined, objects, release);
  await forEach(uploads, work, "objects uploaded", async (path) => {
    const file = files[path];
    if (file === undefined) return;
    const body = bodyOf(folder, path, { sha256: file.sha256, size: file.size });
    const headers = isShared(path) ? objectHeaders(path) : RELEASED_HEADERS;
    await put(releaseKey(release.name, path), body, file, headers);
  });
  const body = textBody(release.manifestText);
  const md5 = createHash("md5").update(release.manifestText).digest("hex");
  await put(manifestKey(release.name), body, { ...body, md5 }, UNCACHED_JSON);
}

/** Puts an object where none is; one that is there must be the same. */
async function putOnce(
  objects: ObjectStore,
  release: Release,
  key: string,
  body: ObjectBody,
  file: ReleaseFile,
  headers: Headers,
): Promise<void> {
  if ((await objects.put(key, body, headers, { ifAbsent: true })) !== undefined) return;
  const there = await objects.head(key);
  if (there !== undefined && (await isSame(objects, there, file))) return;
  refuseDifferent(objects, release, { different: [key], unexpected: [] });
}

/**
 * Lists a release, and refuses it unless it is all there.
 *
 * @throws SvcError `release-incomplete`, `release-differs`.
 */
export async function refuseIncomplete(
  objects: ObjectStore,
  release: Release,
  work: Work,
): Promise<void> {
  const state = await compareRelease(objects, release, work);
  refuseDifferent(objects, release, state);
  const { missing, hasManifest } = state;
  if (missing.length === 0 && hasManifest) return;
  const what = hasManifest
    ? `${missing.length} objects, the first is ${missing[0]}`
    : "its manifest";
  throw new SvcError("release-incomplete", `${objects.name} lacks ${what} of ${release.name}`, {
    hint: "someone removed it meanwhile; run svc deploy again: it uploads what is missing",
  });
}
