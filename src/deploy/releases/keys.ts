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

/** KeyValueStore: exists while a workspace is held, as JSON (L3a). */
export function holdKey(workspaceId: string): string {
  return `${HOLD}${workspaceId}`;
}

export const HOLD = "h:";

/** KeyValueStore: exists while a token is valid for a project, of the draft (L8) or of a preview (L15). */
export function tokenKey(sha256: string, projectId: string): string {
  return `${TOKEN}${sha256}:${projectId}`;
}

export const TOKEN = "t:";

/** KeyValueStore: the bucket of which it has shown previews of a workspace (L15). */
export function previewedKey(workspaceId: string): string {
  return `v:${workspaceId}`;
}

/** L15: a preview's name, which is in a value of the KeyValueStore, behind a space. */
export const PREVIEW_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** KeyValueStore: exists while a prune removes a release, by its name, or ASSETS (L4a). */
export function removalKey(what: string): string {
  return `${REMOVAL}${what}`;
}

export const REMOVAL = "d:";

/** In place of a release's name, which has a slash. */
export const ASSETS = "assets";

/** KeyValueStore: another value since each time that a prune began to remove something (L4b). */
export const LAST_REMOVAL = `${REMOVAL}last`;

/** L2a: the object with the pointers, where they are in the bucket. */
export const POINTERS = ".svc-pointers.json";

/** The folder of all releases. */
export const RELEASES = "r/";

/** The folder of a release, with its final slash; the files in it have the paths of `out/` (F1). */
export function releaseFolder(release: string): string {
  return `${RELEASES}${release}/`;
}

/** The folder with an object for each pinned release. */
export const PINS = "pins/";
