import { createHash } from "node:crypto";
import { NOT_FOUND_DOCUMENT, UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { PROBLEM_HEADERS } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import { holdAfter, type NewHold } from "../../workspace/hold.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import { assertNotHeld, holdChange, holdsOf } from "../holds.ts";
import type { KeyValues } from "../key-value-store.ts";
import type { ObjectHead, ObjectStore } from "../object-store.ts";
import { md5Of, type PublishedFolder, textBody } from "../published-folder.ts";
import { assertNotInPlace, objectConflict } from "../refusals.ts";
import {
  inOrder,
  objectHeaders,
  RELEASED_HEADERS,
  UNCACHED_JSON,
  type Upload,
  uploadObjects,
} from "../upload.ts";
import { POINTER } from "./keys.ts";
import { findRelease, type ReleaseStores, readRelease } from "./list-releases.ts";
import {
  applyPointerUpdate,
  assertNotOvertaken,
  type PointerUpdate,
  planPointerUpdate,
  workspacesOf,
} from "./pointers.ts";
import { type Preview, planPreview } from "./previews.ts";
import {
  assertUnmodified,
  compareRelease,
  isShared,
  manifestKey,
  type Release,
  type ReleaseFile,
  releaseKey,
  releaseOf,
} from "./release.ts";
import { assertNotBeingRemoved, hasRemovalSince } from "./removal.ts";

/** Releases to make live, or to show to the holder of a token (L15). */
export interface LivePlan {
  readonly releases: readonly Release[];
  /** L15. */
  readonly isPreview: boolean;
  /** The snapshot that `pointerUpdate` was planned from. */
  readonly pointers: KeyValues;
  readonly pointerUpdate: PointerUpdate;
  /** L3a: the workspaces that it changes, and may not, if they are held. */
  readonly bound: readonly string[];
}

/** What to upload of a release. */
export interface ReleaseUploads {
  readonly release: Release;
  /** In order, the manifest last. */
  readonly uploads: readonly Upload[];
  /** The number of files in the bucket. */
  readonly present: number;
}

export interface ReleasePlan extends LivePlan {
  readonly uploads: readonly ReleaseUploads[];
  /** The CDN's error documents that are missing or differ. */
  readonly errorDocuments: readonly Upload[];
}

/**
 * Plans the deploy of workspaces of `out/` as releases; read-only.
 *
 * @param how `holder` holds them, also where others hold them (L3a); without it `makeLive` refuses held ones.
 *   `preview` makes them no more than a preview (L15).
 * @throws SvcError `release-differs`, `project-of-another-workspace`, `file-changed`,
 *   `object-in-the-way`, `target-in-place`, `release-being-removed`, and what the stores throw.
 */
export async function planRelease(
  published: PublishedFolder,
  workspaceIds: readonly string[],
  { objects, pointers: kvs }: ReleaseStores,
  work: Work,
  how: { readonly holder?: NewHold | undefined; readonly preview?: Preview | undefined } = {},
): Promise<ReleasePlan> {
  const releases: Release[] = [];
  for (const id of workspaceIds) releases.push(await releaseOfFolder(published, id, work));
  // L4b: before the bucket is compared.
  const pointers = await kvs.read();
  assertNotBeingRemoved(pointers, releases);
  const { holder, preview } = how;
  const live =
    preview === undefined
      ? livePlan(pointers, releases, holder)
      : previewPlan(pointers, releases, objects.name, preview);
  const uploads: ReleaseUploads[] = [];
  for (const release of releases) {
    const state = await compareRelease(objects, release, work);
    assertUnmodified(objects, release, state);
    const files = state.missing.map((path) => uploadOf(release, path));
    const present = Object.keys(release.manifest.files).length - files.length;
    const manifest = state.hasManifest ? [] : [manifestUpload(release)];
    uploads.push({ release, uploads: [...inOrder(files), ...manifest], present });
  }
  await assertNotInPlace(objects);
  const errorDocuments = await staleErrorDocuments(objects);
  return { ...live, uploads, errorDocuments };
}

function livePlan(
  pointers: KeyValues,
  releases: readonly Release[],
  holder: NewHold | undefined,
): LivePlan {
  const pointerUpdate = planPointerUpdate(pointers, releases);
  const ids = releases.map(({ manifest }) => manifest.workspaceId);
  if (holder === undefined) {
    const bound = workspacesOf(pointerUpdate);
    return { releases, isPreview: false, pointers, pointerUpdate, bound };
  }
  const now = new Date();
  const holds = ids.map((id) =>
    holdChange(pointers, id, holdAfter(holdsOf(pointers)[id], holder, now)),
  );
  const update = [...holds, ...pointerUpdate];
  return { releases, isPreview: false, pointers, pointerUpdate: update, bound: [] };
}

function previewPlan(
  pointers: KeyValues,
  releases: readonly Release[],
  bucket: string,
  preview: Preview,
): LivePlan {
  const pointerUpdate = planPreview(pointers, releases, bucket, preview);
  return { releases, isPreview: true, pointers, pointerUpdate, bound: [] };
}

/** The release of a workspace of `out/`. Its name is a hash of the files. */
async function releaseOfFolder(
  { folder, workspaces }: PublishedFolder,
  workspaceId: string,
  work: Work,
): Promise<Release> {
  const { versionId = "", files: facts = {} } = workspaces[workspaceId] ?? {};
  const files: Record<string, ReleaseFile> = {};
  await forEach(Object.entries(facts), work, "files read", async ([path, { sha256, size }]) => {
    files[path] = { md5: await md5Of(folder, path, { sha256, size }), sha256, size };
  });
  return releaseOf({ formatVersion: 1, workspaceId, versionId, files });
}

function uploadOf({ name, manifest }: Release, path: string): Upload {
  const headers = isShared(path) ? objectHeaders(path) : RELEASED_HEADERS;
  const object = { ...(manifest.files[path] as ReleaseFile), headers };
  return { key: releaseKey(name, path), reason: "new", object, source: { path }, etag: undefined };
}

function manifestUpload({ name, manifestText }: Release): Upload {
  const { sha256, size } = textBody(manifestText);
  const object = { sha256, size, headers: UNCACHED_JSON };
  const source = { text: manifestText };
  return { key: manifestKey(name), reason: "new", object, source, etag: undefined };
}

const ERROR_DOCUMENTS = { "404.json": NOT_FOUND_DOCUMENT, "503.json": UNAVAILABLE_DOCUMENT };

async function staleErrorDocuments(objects: ObjectStore): Promise<Upload[]> {
  const stale: Upload[] = [];
  for (const [key, text] of Object.entries(ERROR_DOCUMENTS)) {
    const found = await objects.head(key);
    const { sha256, size } = textBody(text);
    const md5 = createHash("md5").update(text).digest("hex");
    if (found?.sha256 === sha256 || found?.etag === md5) continue;
    if (found !== undefined && found.sha256 === undefined) throw objectConflict(objects, found);
    const object = { sha256, size, headers: PROBLEM_HEADERS };
    const reason = found === undefined ? "new" : "changed";
    stale.push({ key, reason, object, source: { text }, etag: found?.etag });
  }
  return stale;
}

/**
 * Uploads releases, the manifest of each last, and verifies them by a listing. Idempotent: existing
 * objects are skipped, and objects of a release are never overwritten.
 *
 * @throws SvcError `release-differs`, `release-incomplete`, `file-changed`, and what the stores throw.
 */
export async function uploadReleases(
  published: PublishedFolder,
  { uploads, errorDocuments }: Pick<ReleasePlan, "uploads" | "errorDocuments">,
  objects: ObjectStore,
  work: Work,
): Promise<void> {
  const isSame = (seen: ObjectHead, { object }: Upload) =>
    seen.size === object.size && (seen.sha256 === object.sha256 || seen.etag === object.md5);
  const replacing = { objects, isSame, assertReplaceable: () => {} };
  await uploadObjects(published, errorDocuments, replacing, work);
  for (const { release, uploads: missing } of uploads) {
    if (missing.length === 0) continue;
    const assertReplaceable = ({ key }: ObjectHead) =>
      assertUnmodified(objects, release, { different: [key], unexpected: [] });
    await uploadObjects(published, missing, { objects, isSame, assertReplaceable }, work);
    await assertComplete(objects, release, work);
  }
}

/**
 * Makes uploaded releases live, or shows them to a token, and reads the keys back to confirm.
 *
 * L4b: where a prune has begun meanwhile, what it may have removed is looked for again.
 *
 * @throws SvcError `held`, `deployed-meanwhile`, `release-being-removed`, `release-incomplete`, and what the
 *   stores throw.
 */
export async function makeLive(
  { releases, isPreview, pointers, pointerUpdate, bound }: LivePlan,
  stores: ReleaseStores,
  work: Work,
): Promise<void> {
  work.signal.throwIfAborted();
  assertNotHeld(holdsOf(pointers), bound);
  let compared = pointers;
  await applyPointerUpdate(stores.pointers, pointers, pointerUpdate, async (now) => {
    assertNotBeingRemoved(now, releases);
    assertNotHeld(holdsOf(now), bound);
    if (!hasRemovalSince(compared, now)) return;
    for (const release of releases) await assertComplete(stores.objects, release, work);
    compared = now;
  });
  const now = await stores.pointers.read();
  assertNotOvertaken(now, pointerUpdate);
  if (isPreview) return;
  // Another deploy may have changed pointers outside of the plan.
  const missing = planPointerUpdate(now, releases).filter(({ key }) => key.startsWith(POINTER));
  assertNotOvertaken(now, missing);
}

/**
 * Finds the release to go back to, and checks that it is complete.
 *
 * @param holder as of `planRelease`.
 * @throws SvcError what `findRelease` throws, `release-being-removed`, `release-incomplete`,
 *   `release-differs`.
 */
export async function planRollback(
  stores: ReleaseStores,
  work: Work,
  wanted: Parameters<typeof findRelease>[2],
  holder?: NewHold,
): Promise<LivePlan> {
  const { release: name } = await findRelease(stores, work, wanted);
  // L4b: before the bucket is compared.
  const pointers = await stores.pointers.read();
  const release = await readRelease(stores.objects, name);
  assertNotBeingRemoved(pointers, [release]);
  await assertComplete(stores.objects, release, work);
  return livePlan(pointers, [release], holder);
}

async function assertComplete(objects: ObjectStore, release: Release, work: Work): Promise<void> {
  const state = await compareRelease(objects, release, work);
  assertUnmodified(objects, release, state);
  const { missing, hasManifest } = state;
  if (missing.length === 0 && hasManifest) return;
  const what = hasManifest
    ? `${missing.length} objects, the first is ${missing[0]}`
    : "its manifest";
  throw new SvcError("release-incomplete", `${objects.name} lacks ${what} of ${release.name}`, {
    hint: "it was removed meanwhile; run svc deploy again: it uploads what is missing; or roll back to another release",
  });
}
