/**
 * What stands where: names that the deploy writes and the edge function reads. A release is named
 * `<workspaceId>/<versionId>-<first 12 hex digits of its manifest's SHA-256>`.
 */

/** The key of the KeyValueStore whose value names the release that a project is served from. */
export function pointerKey(projectId: string): string {
  return `${POINTER}${projectId}`;
}

export const POINTER = "p:";

/**
 * The key of the KeyValueStore that lists the releases of a workspace that were live, the last one
 * first: a JSON array of their names without the workspace.
 */
export function liveLogKey(workspaceId: string): string {
  return `l:${workspaceId}`;
}

/** The key of the KeyValueStore that is there while a preview token is valid for a project. */
export function tokenKey(sha256: string, projectId: string): string {
  return `${TOKEN}${sha256}:${projectId}`;
}

export const TOKEN = "t:";

/** The folder of the bucket (below the prefix) that holds releases. */
export const RELEASES = "r/";

/** The folder of a release, with its final slash; the files in it have the paths of `out/` (F1). */
export function releaseFolder(release: string): string {
  return `${RELEASES}${release}/`;
}

/** The folder of the bucket that holds a note for each release that is never pruned. */
export const PINS = "pins/";
