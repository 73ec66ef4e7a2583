import { createHash } from "node:crypto";
import { NOT_FOUND_DOCUMENT, UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { KeyValueStore, KeyValues } from "../key-value-store.ts";
import { objectConflict } from "../object-conflict.ts";
import type { ObjectStore } from "../object-store.ts";
import { md5Of, type PublishedFolder } from "../published-folder.ts";
import { assertNotInPlace } from "../target-mode.ts";
import { assertUnmodified, compareRelease, isSame } from "./compare-release.ts";
import { type PointerUpdate, planPointerUpdate } from "./pointers.ts";
import { type Release, type ReleaseFile, releaseOf } from "./release.ts";

/** The bucket of releases and the KeyValueStore with their pointers. */
export interface ReleaseStores {
  readonly objects: ObjectStore;
  readonly pointers: KeyValueStore;
}

/** Releases to make live. */
export interface LivePlan {
  readonly releases: readonly Release[];
  /** The snapshot that `pointerUpdate` was planned from. */
  readonly pointers: KeyValues;
  readonly pointerUpdate: PointerUpdate;
}

/** What to upload of a release. */
export interface UploadPlan {
  readonly release: Release;
  /** Paths below `out/` that are missing in the bucket, sorted. */
  readonly uploads: readonly string[];
  /** The number of files in the bucket. */
  readonly present: number;
  readonly hasManifest: boolean;
}

export interface ReleasePlan extends LivePlan {
  readonly uploads: readonly UploadPlan[];
  /** The CDN's error documents that are missing or differ: texts by key. */
  readonly errorDocuments: ReadonlyMap<string, string>;
}

/**
 * Plans the deploy of workspaces of `out/` as releases; read-only.
 *
 * @throws SvcError `release-differs`, `project-of-another-workspace`, `file-changed`,
 *   `object-in-the-way`, `target-in-place`, and what the stores throw.
 */
export async function planRelease(
  published: PublishedFolder,
  workspaceIds: readonly string[],
  { objects, pointers: kvs }: ReleaseStores,
  work: Work,
): Promise<ReleasePlan> {
  const releases: Release[] = [];
  for (const id of workspaceIds) releases.push(await releaseOfFolder(published, id, work));
  const pointers = await kvs.read();
  const pointerUpdate = planPointerUpdate(pointers, releases);
  const uploads: UploadPlan[] = [];
  for (const release of releases) {
    const state = await compareRelease(objects, release, work);
    assertUnmodified(objects, release, state);
    const { missing, hasManifest } = state;
    const present = Object.keys(release.manifest.files).length - missing.length;
    uploads.push({ release, uploads: missing, present, hasManifest });
  }
  await assertNotInPlace(objects);
  return {
    releases,
    pointers,
    pointerUpdate,
    uploads,
    errorDocuments: await staleErrorDocuments(objects),
  };
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

const ERROR_DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ["404.json", NOT_FOUND_DOCUMENT],
  ["503.json", UNAVAILABLE_DOCUMENT],
]);

async function staleErrorDocuments(objects: ObjectStore): Promise<Map<string, string>> {
  const stale = new Map<string, string>();
  for (const [key, text] of ERROR_DOCUMENTS) {
    const found = await objects.head(key);
    const [md5, sha256] = ["md5", "sha256"].map((name) =>
      createHash(name).update(text).digest("hex"),
    ) as [string, string];
    const size = Buffer.byteLength(text);
    if (found !== undefined && (await isSame(objects, found, { md5, sha256, size }))) continue;
    if (found !== undefined && found.sha256 === undefined) throw objectConflict(objects, found);
    stale.set(key, text);
  }
  return stale;
}
