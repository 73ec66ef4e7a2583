import { SvcError } from "../../workspace/errors.ts";
import type { KeyValues } from "../key-value-store.ts";
import { liveLogKey, POINTER, pointerKey } from "./keys.ts";
import { partsOfName, projectsOf, type Release } from "./release.ts";

/** Releases in a workspace's log, to fit in the 1 KB of a value. */
const LOG_LENGTH = 12;

/** The name of the live release of each project, by project id. */
export function livePointers({ values }: KeyValues): Map<string, string> {
  const live = new Map<string, string>();
  for (const [key, value] of values) {
    if (key.startsWith(POINTER)) live.set(key.slice(POINTER.length), value);
  }
  return live;
}

/** The names of a workspace's releases that have been live, newest first; empty for a broken log. */
export function liveLog({ values }: KeyValues, workspaceId: string): string[] {
  try {
    const ids: unknown = JSON.parse(values.get(liveLogKey(workspaceId)) ?? "[]");
    if (!Array.isArray(ids)) return [];
    return ids.filter((id) => typeof id === "string").map((id) => `${workspaceId}/${id}`);
  } catch {
    return [];
  }
}

/** A change of one key; undefined: the key does not exist. */
export interface KeyChange {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The changes that make releases live; empty when they are. */
export type PointerUpdate = readonly KeyChange[];

/**
 * Plans the changes that make releases live, one for each workspace: the log of each, the pointers of
 * their projects, and the removal of pointers of projects that were deleted from these workspaces.
 *
 * @throws SvcError `project-of-another-workspace`: project ids are unique in an API.
 */
export function planPointerUpdate(state: KeyValues, releases: readonly Release[]): PointerUpdate {
  const live = livePointers(state);
  const workspaces = releases.map(({ manifest }) => manifest.workspaceId);
  const wanted = new Map<string, string>();
  for (const { name, manifest } of releases) {
    for (const projectId of projectsOf(manifest)) {
      const owner = partsOfName(live.get(projectId) ?? "")?.workspaceId;
      // A project may move between workspaces that are deployed together.
      if (owner !== undefined && !workspaces.includes(owner)) {
        throw projectConflict(projectId, owner, manifest.workspaceId);
      }
      wanted.set(projectId, name);
    }
  }
  const pointers: KeyChange[] = [];
  for (const [projectId, after] of wanted) {
    const before = live.get(projectId);
    if (before !== after) pointers.push({ key: pointerKey(projectId), before, after });
  }
  for (const [projectId, before] of live) {
    const owner = partsOfName(before)?.workspaceId ?? "";
    if (!wanted.has(projectId) && workspaces.includes(owner)) {
      pointers.push({ key: pointerKey(projectId), before, after: undefined });
    }
  }
  // Logs first: more than 50 changes take several writes.
  return [...releases.flatMap((release) => logChange(state, release)), ...pointers];
}

function logChange(state: KeyValues, { name, manifest }: Release): KeyChange[] {
  const { workspaceId } = manifest;
  const logged = liveLog(state, workspaceId);
  if (logged[0] === name) return [];
  const log = [name, ...logged.filter((other) => other !== name)].slice(0, LOG_LENGTH);
  const key = liveLogKey(workspaceId);
  const after = JSON.stringify(log.map((release) => release.slice(workspaceId.length + 1)));
  return [{ key, before: state.values.get(key), after }];
}

function projectConflict(projectId: string, owner: string, workspaceId: string): SvcError {
  return new SvcError(
    "project-of-another-workspace",
    `project "${projectId}" is live from workspace "${owner}", not from "${workspaceId}"`,
    {
      hint: "if the project has moved, publish both workspaces to one folder and deploy that; else change the id of one",
    },
  );
}
