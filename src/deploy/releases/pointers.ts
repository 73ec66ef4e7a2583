import { SvcError } from "../../workspace/errors.ts";
import type { KeyValues } from "../key-value-store.ts";
import { liveLogKey, POINTER, pointerKey } from "./keys.ts";
import { partsOfName, projectsOf, type Release } from "./release.ts";

/** How many releases the log of a workspace names: they fit in a value of 1 KB. */
const LOG_LENGTH = 12;

/** The release that each project is served from, by project id. */
export function livePointers({ values }: KeyValues): Map<string, string> {
  const live = new Map<string, string>();
  for (const [key, value] of values) {
    if (key.startsWith(POINTER)) live.set(key.slice(POINTER.length), value);
  }
  return live;
}

/** The names of the releases of a workspace that were live, the last one first. */
export function liveLog({ values }: KeyValues, workspaceId: string): string[] {
  try {
    const ids: unknown = JSON.parse(values.get(liveLogKey(workspaceId)) ?? "[]");
    if (!Array.isArray(ids)) return [];
    return ids.filter((id) => typeof id === "string").map((id) => `${workspaceId}/${id}`);
  } catch {
    return [];
  }
}

/** The change of one key of the KeyValueStore; undefined: the key is not there. */
export interface KeyChange {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Makes releases live. Empty when they are already. */
export type Flip = readonly KeyChange[];

/**
 * What has to change for releases of different workspaces to be live: the log of each, a pointer for
 * each of their projects, none for projects that a workspace of theirs has no more.
 *
 * @throws SvcError `project-of-another-workspace`: ids of projects are unique in an API.
 */
export function planFlip(state: KeyValues, releases: readonly Release[]): Flip {
  const live = livePointers(state);
  const workspaces = releases.map(({ manifest }) => manifest.workspaceId);
  const wanted = new Map<string, string>();
  for (const { name, manifest } of releases) {
    for (const projectId of projectsOf(manifest)) {
      const owner = partsOfName(live.get(projectId) ?? "")?.workspaceId;
      // A project may move from one workspace to another, if both are deployed at once.
      if (owner !== undefined && !workspaces.includes(owner)) {
        throw ofAnother(projectId, owner, manifest.workspaceId);
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
  // The logs first: they are written with the first pointers, should there be more than one write.
  return [...releases.flatMap((release) => logChange(state, release)), ...pointers];
}

/** Puts the release at the head of its workspace's log. */
function logChange(state: KeyValues, { name, manifest }: Release): KeyChange[] {
  const { workspaceId } = manifest;
  const logged = liveLog(state, workspaceId);
  if (logged[0] === name) return [];
  const log = [name, ...logged.filter((other) => other !== name)].slice(0, LOG_LENGTH);
  const key = liveLogKey(workspaceId);
  const after = JSON.stringify(log.map((release) => release.slice(workspaceId.length + 1)));
  return [{ key, before: state.values.get(key), after }];
}

function ofAnother(projectId: string, owner: string, workspaceId: string): SvcError {
  return new SvcError(
    "project-of-another-workspace",
    `project "${projectId}" is live from workspace "${owner}", not from "${workspaceId}"`,
    {
      hint: "has the project moved? deploy a folder that both workspaces are published to; else give one another id",
    },
  );
}
