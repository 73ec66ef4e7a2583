import { createHash } from "node:crypto";
import { NOT_FOUND_DOCUMENT, UNAVAILABLE_DOCUMENT } from "../../http/problem-document.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { KeyValueStore, KeyValues } from "../key-value-store.ts";
import { inTheWay } from "../object-in-the-way.ts";
import type { ObjectStore } from "../object-store.ts";
import { md5Of, type PublishedFolder } from "../published-folder.ts";
import { refuseInPlace } from "../target-mode.ts";
import { compareRelease, isSame, refuseDifferent } from "./compare-release.ts";
import { type Flip, planFlip } from "./pointers.ts";
import { type Release, type ReleaseFile, releaseOf } from "./release.ts";

/** Where a release goes. */
export interface Places {
  readonly objects: ObjectStore;
  readonly pointers: KeyValueStore;
}

/** How releases become live, all of them in one switch. */
export interface LivePlan {
  readonly releases: readonly Release[];
  /** The state from which the flip was planned. */
  readonly pointers: KeyValues;
  readonly flip: Flip;
}

/** What a deploy of a workspace as a release will upload. */
export interface UploadPlan {
  readonly release: Release;
  /** Paths below `out/`, sorted: what the bucket does not have yet. */
  readonly uploads: readonly string[];
  /** How many files it has. */
  readonly present: number;
  readonly hasManifest: boolean;
}

/** What a deploy of workspaces as releases will do. */
export interface ReleasePlan extends LivePlan {
  readonly uploads: readonly UploadPlan[];
  /** Documents for the CDN's own errors that are missing or differ: their keys and texts. */
  readonly errorDocuments: ReadonlyMap<string, string>;
}

/**
 * Compares workspaces of `out/` with a bucket and its pointers. Nothing is changed.
 *
 * @throws SvcError `release-differs`, `project-of-another-workspace`, `file-changed`,
 *   `object-in-the-way`, `target-in-place`, and what the stores throw.
 */
export async function planRelease(
  published: PublishedFolder,
  workspaceIds: readonly string[],
  { objects, pointers: kvs }: Places,
  work: Work,
): Promise<ReleasePlan> {
  const releases: Release[] = [];
  for (const id of workspaceIds) releases.push(await releaseOfFolder(published, id, work));
  const pointers = await kvs.read();
  const flip = planFlip(pointers, releases);
  const uploads: UploadPlan[] = [];
  for (const release of releases) {
    const state = await compareRelease(objects, release, work);
    refuseDifferent(objects, release, state);
    const { missing, hasManifest } = state;
    const present = Object.keys(release.manifest.files).length - missing.length;
    uploads.push({ release, uploads: missing, present, hasManifest });
  }
  await refuseInPlace(objects);
  return { releases, pointers, flip, uploads, errorDocuments: await staleErrorDocuments(objects) };
}

/** The release that a workspace of `out/` makes: the same files, the same name. */
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
    if (found !== undefined && found.sha256 === undefined) throw inTheWay(objects, found);
    stale.set(key, text);
  }
  return stale;
}
