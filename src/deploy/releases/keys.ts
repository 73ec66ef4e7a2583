// Keys that a deploy writes and the edge function reads.

/** KeyValueStore: the name of the release that a project is served from. */
export function pointerKey(projectId: string): string {
  return `${POINTER}${projectId}`;
}

export const POINTER = "p:";

/**
 * L3: KeyValueStore: the releases of a workspace that were live, newest first, as a JSON array of
 * their names without the workspace.
 */
export function liveLogKey(workspaceId: string): string {
  return `l:${workspaceId}`;
}

/** KeyValueStore: exists while a preview token is valid for a project (L8). */
export function tokenKey(sha256: string, projectId: string): string {
  return `${TOKEN}${sha256}:${projectId}`;
}

export const TOKEN = "t:";

/** The folder of all releases. */
export const RELEASES = "r/";

/** The folder of a release, with its final slash; the files in it have the paths of `out/` (F1). */
export function releaseFolder(release: string): string {
  return `${RELEASES}${release}/`;
}

/** The folder with an object for each pinned release. */
export const PINS = "pins/";
