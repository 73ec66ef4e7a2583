import { createHash } from "node:crypto";
import { isPublishedPath } from "../../documents/address.ts";
import { indentedCanonicalJson } from "../../documents/canonical-json.ts";
import { type FileFact, isFileFact, isVersionId } from "../../documents/version-id.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isId } from "../../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue, parsedJson } from "../../workspace/json.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { ObjectFacts, ObjectStore } from "../object-store.ts";
import { releaseFolder } from "./keys.ts";

/** A file of a release. */
export interface ReleaseFile extends FileFact {
  /** Lower-case hex. */
  readonly md5: string;
}

/** The last object of a release. */
export interface ReleaseManifest {
  readonly formatVersion: 1;
  readonly workspaceId: string;
  readonly versionId: string;
  /** By path below `out/`: documents and assets. */
  readonly files: Readonly<Record<string, ReleaseFile>>;
}

/** L1: a version of a workspace as an immutable folder of the bucket. */
export interface Release {
  /** `<workspaceId>/<versionId>-<first 12 hex digits of the SHA-256 of the manifest's text>`. */
  readonly name: string;
  readonly manifest: ReleaseManifest;
  readonly manifestText: string;
}

export function releaseOf(manifest: ReleaseManifest): Release {
  const manifestText = indentedCanonicalJson(manifest as unknown as JsonValue).toString();
  const hash = createHash("sha256").update(manifestText).digest("hex").slice(0, 12);
  const name = `${manifest.workspaceId}/${manifest.versionId}-${hash}`;
  return { name, manifest, manifestText };
}

/** Parses a release's manifest; undefined when it is invalid or of another release. */
export function parseRelease(name: string, manifestText: string): Release | undefined {
  const manifest: unknown = parsedJson(manifestText);
  if (!isManifest(manifest)) return undefined;
  const release = releaseOf(manifest);
  return release.name === name ? release : undefined;
}

/** L13: a bucket is written by others too. */
function isManifest(value: unknown): value is ReleaseManifest {
  return (
    isJsonObject(value) &&
    value.formatVersion === 1 &&
    typeof value.workspaceId === "string" &&
    isId(value.workspaceId) &&
    isVersionId(value.versionId) &&
    isJsonObject(value.files) &&
    Object.entries(value.files).every(
      ([path, file]) =>
        isPublishedPath(path) &&
        isFileFact(file) &&
        typeof (file as JsonObject).md5 === "string" &&
        /^[0-9a-f]{32}$/.test((file as JsonObject).md5 as string),
    )
  );
}

const NAME = /^([^/]+)\/(([0-9a-f]{32})-[0-9a-f]{12})$/;

/** Splits a release's name; undefined when it is not one. */
export function partsOfName(
  name: string,
): { workspaceId: string; id: string; versionId: string } | undefined {
  const [, workspaceId, id, versionId] = NAME.exec(name) ?? [];
  if (workspaceId === undefined || id === undefined || versionId === undefined) return undefined;
  if (!isId(workspaceId)) return undefined;
  return { workspaceId, id, versionId };
}

/** The key of a file of `out/`. Assets are shared by all releases: their paths have their hash. */
export function releaseKey(release: string, path: string): string {
  return isShared(path) ? path : `${releaseFolder(release)}${path}`;
}

export function isShared(path: string): boolean {
  return path.startsWith("assets/");
}

/** The key of the manifest, whose presence means that the release is complete (L1). */
export function manifestKey(release: string): string {
  return `${releaseFolder(release)}manifest.json`;
}

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
  const folder = releaseFolder(release.name);
  const files = Object.entries(release.manifest.files);
  const wanted = new Map(
    files.map(([path, file]) => [releaseKey(release.name, path), { path, file }]),
  );
  const found = await listed(store, folder);
  const hasManifest = found.delete(manifestKey(release.name));
  if (files.some(([path]) => isShared(path))) {
    for (const [key, facts] of await listed(store, "assets/")) found.set(key, facts);
  }
  const missing = [...wanted].flatMap(([key, { path }]) => (found.has(key) ? [] : path)).sort();
  const different: string[] = [];
  await forEach([...wanted], work, "objects compared", async ([key, { file }]) => {
    const facts = found.get(key);
    if (facts !== undefined && !(await isSame(store, facts, file))) different.push(key);
  });
  const unexpected = [...found.keys()].filter((key) => key.startsWith(folder) && !wanted.has(key));
  return { missing, different: different.sort(), unexpected, hasManifest };
}

/** Whether an object has these bytes, by its ETag or its SHA-256 metadata. */
async function isSame(
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
  const list = [
    ...state.different.map(
      (key) => ({ code: "object-different", key, reason: "different" }) as const,
    ),
    ...state.unexpected.map(
      (key) => ({ code: "object-unexpected", key, reason: "unexpected" }) as const,
    ),
  ];
  const [first] = list;
  if (first === undefined) return;
  throw new SvcError(
    "release-differs",
    `release ${name} in ${store.name} differs from what was published: ${list.length} ${
      list.length === 1 ? "object" : "objects"
    }, the first is ${first.key}`,
    {
      hint: "another program wrote there: inspect these objects, and remove them if they are wrong",
      problems: { kind: "objects", list },
    },
  );
}

async function listed(store: ObjectStore, prefix: string): Promise<Map<string, ObjectFacts>> {
  const found = new Map<string, ObjectFacts>();
  for await (const facts of store.list(prefix)) found.set(facts.key, facts);
  return found;
}
