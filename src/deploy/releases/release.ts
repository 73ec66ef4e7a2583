import { createHash } from "node:crypto";
import { addressOfFilePath } from "../../documents/address.ts";
import { indentedCanonicalJson } from "../../documents/canonical-json.ts";
import type { FileFact } from "../../documents/version-id.ts";
import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
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

/** A version of a workspace as an immutable folder of the bucket. */
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
  try {
    const manifest: unknown = JSON.parse(manifestText);
    if (!isJsonObject(manifest) || manifest.formatVersion !== 1) return undefined;
    const release = releaseOf(manifest as unknown as ReleaseManifest);
    return release.name === name ? release : undefined;
  } catch {
    return undefined;
  }
}

const NAME = /^([^/]+)\/(([0-9a-f]{32})-[0-9a-f]{12})$/;

/** Splits a release's name; undefined when it is not one. */
export function partsOfName(
  name: string,
): { workspaceId: string; id: string; versionId: string } | undefined {
  const [, workspaceId, id, versionId] = NAME.exec(name) ?? [];
  if (workspaceId === undefined || id === undefined || versionId === undefined) return undefined;
  return { workspaceId, id, versionId };
}

/** The key of a file of `out/`. Assets are shared by all releases: their paths have their hash. */
export function releaseKey(release: string, path: string): string {
  return isShared(path) ? path : `${releaseFolder(release)}${path}`;
}

export function isShared(path: string): boolean {
  return path.startsWith("assets/");
}

/** The key of the manifest, whose presence means that the release is complete. */
export function manifestKey(release: string): string {
  return `${releaseFolder(release)}manifest.json`;
}

/** The ids of a release's projects, sorted. */
export function projectsOf({ files }: ReleaseManifest): string[] {
  return Object.keys(files)
    .flatMap((path) => {
      const address = addressOfFilePath(path);
      return address?.kind === "project" ? address.projectId : [];
    })
    .sort();
}
