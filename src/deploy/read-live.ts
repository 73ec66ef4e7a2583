import { chosenWorkspace, PublishedDocuments } from "../diff/published-documents.ts";
import { nothingPublished, type PublishedSide } from "../diff/snapshot.ts";
import { addressOfFilePath, addressOfUrlPath, filePath } from "../documents/address.ts";
import { SvcError } from "../workspace/errors.ts";
import { forEach, type Work } from "./concurrent-work.ts";
import { readManifest } from "./in-place/manifest.ts";
import type { KeyValueStore } from "./key-value-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { assertNoReleases } from "./refusals.ts";
import { readRelease } from "./releases/list-releases.ts";
import { livePointers } from "./releases/pointers.ts";
import { partsOfName, releaseKey } from "./releases/release.ts";

interface Live {
  readonly workspaceId: string;
  readonly versionId: string;
  readonly files: readonly LiveDocument[];
}

interface LiveDocument {
  readonly path: string;
  readonly key: string;
}

/**
 * D4a: reads the documents of the version that is live on a target, and verifies that they are complete.
 *
 * @param pointers undefined: of a deploy in place.
 * @param wanted undefined: the only workspace that is live.
 * @throws SvcError `deploy-unfinished`, `workspace-ambiguous`, `target-has-releases`,
 *   `release-differs`, `release-not-found`, `deploy-manifest-invalid`.
 */
export async function readLive(
  objects: ObjectStore,
  pointers: KeyValueStore | undefined,
  wanted: string | undefined,
  work: Work,
): Promise<PublishedSide> {
  const live =
    pointers === undefined
      ? await liveInPlace(objects, wanted)
      : await liveRelease(objects, pointers, wanted);
  const nothing = nothingPublished("target", objects.name);
  if (live === undefined) return nothing;
  const { workspaceId, versionId, files } = live;
  const documents = new PublishedDocuments();
  await forEach(files, work, "documents read", async ({ path, key }) => {
    const stored = await objects.get(key);
    if (stored === undefined || documents.add(path, stored.bytes) !== versionId) {
      throw unfinished(objects, `the object ${key} is not of version ${versionId}`);
    }
  });
  if (!documents.areAllOf(versionId)) {
    throw unfinished(objects, `its documents are not version ${versionId}`);
  }
  return { ...nothing, workspaceId, versionId, snapshot: documents.snapshot() };
}

async function liveRelease(
  objects: ObjectStore,
  pointers: KeyValueStore,
  wanted: string | undefined,
): Promise<Live | undefined> {
  const names = new Map<string, Set<string>>();
  for (const name of livePointers(await pointers.read()).values()) {
    const workspaceId = partsOfName(name)?.workspaceId;
    if (workspaceId !== undefined) {
      names.set(workspaceId, (names.get(workspaceId) ?? new Set()).add(name));
    }
  }
  const workspaceId = chosenWorkspace(objects.name, [...names.keys()], wanted);
  const [name, another] = names.get(workspaceId ?? "") ?? [];
  if (name === undefined || workspaceId === undefined) return undefined;
  if (another !== undefined) throw unfinished(objects, `both ${name} and ${another} are live`);
  const { manifest } = await readRelease(objects, name);
  const files = Object.keys(manifest.files)
    .filter((path) => addressOfFilePath(path) !== undefined)
    .map((path) => ({ path, key: releaseKey(name, path) }));
  return { workspaceId, versionId: manifest.versionId, files };
}

async function liveInPlace(
  objects: ObjectStore,
  wanted: string | undefined,
): Promise<Live | undefined> {
  const { manifest, etag } = await readManifest(objects);
  if (etag === undefined) await assertNoReleases(objects);
  const workspaceId = chosenWorkspace(objects.name, Object.keys(manifest.workspaces), wanted);
  if (workspaceId === undefined || !Object.hasOwn(manifest.workspaces, workspaceId)) {
    return undefined;
  }
  const files = Object.entries(manifest.objects).flatMap(([key, { owners }]) => {
    const address = owners.includes(workspaceId) ? addressOfUrlPath(`/${key}`) : undefined;
    return address === undefined ? [] : [{ path: filePath(address), key }];
  });
  return { workspaceId, versionId: manifest.workspaces[workspaceId] as string, files };
}

function unfinished({ name }: ObjectStore, reason: string): SvcError {
  return new SvcError("deploy-unfinished", `${name} has no complete version: ${reason}`, {
    hint: "wait for a running deploy to end, or deploy again",
  });
}
