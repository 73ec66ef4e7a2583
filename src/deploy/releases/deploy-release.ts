import { createHash } from "node:crypto";
import { type Headers, PROBLEM_HEADERS } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import { objectHeaders, RELEASED_HEADERS, UNCACHED_JSON } from "../object-headers.ts";
import type { ObjectBody, ObjectStore } from "../object-store.ts";
import { bodyOf, type PublishedFolder, textBody } from "../published-folder.ts";
import { applyPointerUpdate, assertNotOvertaken } from "./apply-pointer-update.ts";
import { assertUnmodified, compareRelease, isSame } from "./compare-release.ts";
import { POINTER } from "./keys.ts";
import type { LivePlan, ReleasePlan, ReleaseStores, UploadPlan } from "./plan-release.ts";
import { planPointerUpdate } from "./pointers.ts";
import { isShared, manifestKey, type Release, type ReleaseFile, releaseKey } from "./release.ts";

/**
 * Uploads releases, the manifest of each last, and verifies them by a listing. Idempotent: existing
 * objects are skipped, and objects of a release are never overwritten.
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
    await assertComplete(objects, plan.release, work);
  }
}

/**
 * Makes uploaded releases live, and reads the pointers back to confirm.
 *
 * @throws SvcError `deployed-meanwhile`, `release-incomplete`, and what the stores throw.
 */
export async function makeLive(
  { releases, pointers, pointerUpdate }: LivePlan,
  stores: ReleaseStores,
  work: Work,
): Promise<void> {
  work.signal.throwIfAborted();
  await applyPointerUpdate(stores.pointers, pointers, pointerUpdate);
  const now = await stores.pointers.read();
  assertNotOvertaken(now, pointerUpdate);
  // Another deploy may have changed pointers outside of the plan.
  const missing = planPointerUpdate(now, releases).filter(({ key }) => key.startsWith(POINTER));
  assertNotOvertaken(now, missing);
  if (pointerUpdate.length === 0) return;
  // A concurrent prune that had read the old pointers may have removed objects.
  for (const release of releases) await assertComplete(stores.objects, release, work);
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

/** Creates an object; an existing one must have the same bytes. */
async function putOnce(
  objects: ObjectStore,
  release: Release,
  key: string,
  body: ObjectBody,
  file: ReleaseFile,
  headers: Headers,
): Promise<void> {
  if ((await objects.put(key, body, headers, { ifAbsent: true })) !== undefined) return;
  const existing = await objects.head(key);
  if (existing !== undefined && (await isSame(objects, existing, file))) return;
  assertUnmodified(objects, release, { different: [key], unexpected: [] });
}

/** @throws SvcError `release-incomplete`, `release-differs`. */
export async function assertComplete(
  objects: ObjectStore,
  release: Release,
  work: Work,
): Promise<void> {
  const state = await compareRelease(objects, release, work);
  assertUnmodified(objects, release, state);
  const { missing, hasManifest } = state;
  if (missing.length === 0 && hasManifest) return;
  const what = hasManifest
    ? `${missing.length} objects, the first is ${missing[0]}`
    : "its manifest";
  throw new SvcError("release-incomplete", `${objects.name} lacks ${what} of ${release.name}`, {
    hint: "it was removed meanwhile; run svc deploy again: it uploads what is missing",
  });
}
