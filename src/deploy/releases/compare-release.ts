import { SvcError } from "../../workspace/errors.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { ObjectFacts, ObjectStore } from "../object-store.ts";
import { releaseFolder } from "./keys.ts";
import { isShared, manifestKey, type Release, type ReleaseFile, releaseKey } from "./release.ts";

/** How a bucket differs from a release. */
export interface ReleaseState {
  /** Paths below `out/`, sorted. */
  readonly missing: readonly string[];
  /** Keys whose size or hash differs from the manifest. */
  readonly different: readonly string[];
  /** Keys in the release's folder that are not in its manifest. */
  readonly unexpected: readonly string[];
  /** The manifest is uploaded last. */
  readonly hasManifest: boolean;
}

/** Compares a release's objects with its manifest: count, sizes and hashes. */
export async function compareRelease(
  store: ObjectStore,
  release: Release,
  work: Work,
): Promise<ReleaseState> {
  const { files } = release.manifest;
  const folder = releaseFolder(release.name);
  const paths = Object.keys(files).sort();
  const found = await listed(store, folder);
  const hasManifest = found.delete(manifestKey(release.name));
  if (paths.some(isShared)) {
    for (const [key, facts] of await listed(store, "assets/")) found.set(key, facts);
  }
  const missing: string[] = [];
  const different: string[] = [];
  const present: { key: string; facts: ObjectFacts; file: ReleaseFile }[] = [];
  for (const path of paths) {
    const key = releaseKey(release.name, path);
    const [facts, file] = [found.get(key), files[path]];
    found.delete(key);
    if (facts === undefined || file === undefined) missing.push(path);
    else present.push({ key, facts, file });
  }
  await forEach(present, work, "objects compared", async ({ key, facts, file }) => {
    if (!(await isSame(store, facts, file))) different.push(key);
  });
  const unexpected = [...found.keys()].filter((key) => key.startsWith(folder));
  return { missing, different: different.sort(), unexpected, hasManifest };
}

/** Whether an object has these bytes, by its ETag or its SHA-256 metadata. */
export async function isSame(
  store: ObjectStore,
  { key, size, etag }: ObjectFacts,
  file: ReleaseFile,
): Promise<boolean> {
  if (size !== file.size) return false;
  // With encryption or multipart uploads, the ETag is not the MD5.
  return etag === file.md5 || (await store.head(key))?.sha256 === file.sha256;
}

/** @throws SvcError `release-differs` when objects of the release differ or are unexpected. */
export function assertUnmodified(
  store: ObjectStore,
  { name }: Release,
  state: Pick<ReleaseState, "different" | "unexpected">,
): void {
  const [key] = [...state.different, ...state.unexpected];
  if (key === undefined) return;
  const count = state.different.length + state.unexpected.length;
  throw new SvcError(
    "release-differs",
    `release ${name} in ${store.name} differs from what was published: ${count} ${
      count === 1 ? "object" : "objects"
    }, the first is ${key}`,
    {
      hint: "another program wrote there: inspect these objects, and remove them if they are wrong",
      problems: {
        kind: "objects",
        list: [
          ...state.different.map(
            (key) => ({ code: "object-different", key, reason: "different" }) as const,
          ),
          ...state.unexpected.map(
            (key) => ({ code: "object-unexpected", key, reason: "unexpected" }) as const,
          ),
        ],
      },
    },
  );
}

async function listed(store: ObjectStore, prefix: string): Promise<Map<string, ObjectFacts>> {
  const found = new Map<string, ObjectFacts>();
  for await (const facts of store.list(prefix)) found.set(facts.key, facts);
  return found;
}
