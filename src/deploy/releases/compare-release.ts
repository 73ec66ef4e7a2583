import { SvcError } from "../../workspace/errors.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { ObjectFacts, ObjectStore } from "../object-store.ts";
import { releaseFolder } from "./keys.ts";
import { isShared, manifestKey, type Release, type ReleaseFile, releaseKey } from "./release.ts";

/** What a bucket has of a release. */
export interface ReleaseState {
  /** Paths below `out/`, sorted. */
  readonly missing: readonly string[];
  /** Keys whose objects are not what the release says. */
  readonly different: readonly string[];
  /** Keys below the release's folder that the release does not know. */
  readonly unexpected: readonly string[];
  /** Whether the manifest, which is uploaded last, is there. */
  readonly hasManifest: boolean;
}

/** Lists a release's objects, and compares their count, sizes and hashes with its manifest. */
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

/** Whether an object holds these bytes: by its tag where that is their MD5, else by what it says. */
export async function isSame(
  store: ObjectStore,
  { key, size, etag }: ObjectFacts,
  file: ReleaseFile,
): Promise<boolean> {
  if (size !== file.size) return false;
  // A store that encrypts, or took the object in parts, has tags of another kind.
  return etag === file.md5 || (await store.head(key))?.sha256 === file.sha256;
}

/** @throws SvcError `release-differs` when the bucket has other bytes than the release. */
export function refuseDifferent(
  store: ObjectStore,
  { name }: Release,
  state: Pick<ReleaseState, "different" | "unexpected">,
): void {
  const [key] = [...state.different, ...state.unexpected];
  if (key === undefined) return;
  const count = state.different.length + state.unexpected.length;
  throw new SvcError(
    "release-differs",
    `${store.name} has other bytes in release ${name} than were published: ${count} ${
      count === 1 ? "object" : "objects"
    }, the first is ${key}`,
    {
      hint: "someone wrote there by other means: look at these objects, and remove them if they are wrong",
      problems: [
        ...state.different.map((key) => ({ key, reason: "different" })),
        ...state.unexpected.map((key) => ({ key, reason: "unexpected" })),
      ],
    },
  );
}

async function listed(store: ObjectStore, prefix: string): Promise<Map<string, ObjectFacts>> {
  const found = new Map<string, ObjectFacts>();
  for await (const facts of store.list(prefix)) found.set(facts.key, facts);
  return found;
}
