import { projectIdsOf } from "../../diff/published-documents.ts";
import { SvcError } from "../../workspace/errors.ts";
import { parsedJson } from "../../workspace/json.ts";
import { type KeyValueStore, type KeyValues, MAX_KEYS } from "../key-value-store.ts";
import { HOLD, liveLogKey, POINTER, pointerKey, REMOVAL, TOKEN, tokenKey } from "./keys.ts";
import { partsOfName, type Release } from "./release.ts";

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
  const ids = parsedJson(values.get(liveLogKey(workspaceId)) ?? "");
  if (!Array.isArray(ids)) return [];
  return ids.filter((id) => typeof id === "string").map((id) => `${workspaceId}/${id}`);
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
    for (const projectId of projectIdsOf(Object.keys(manifest.files))) {
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

/** The workspaces that projects are served from, before or after an update that changes that. */
export function workspacesOf(update: PointerUpdate): string[] {
  const pointers = update.filter(({ key }) => key.startsWith(POINTER));
  const names = pointers.flatMap(({ before = "", after = "" }) => [before, after]);
  return [...new Set(names.flatMap((name) => partsOfName(name)?.workspaceId ?? []))];
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

/** The hash and expiry of a preview token; the token itself never leaves the store (L8, H3). */
export interface KnownToken {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Undefined: does not expire. */
  readonly expiresAt: Date | undefined;
}

/**
 * Plans the changes that make exactly these tokens valid for these projects. A value is the expiry
 * in milliseconds since 1970, or `never`.
 */
export function planTokens(
  { values }: KeyValues,
  tokens: readonly KnownToken[],
  projectIds: readonly string[],
): KeyChange[] {
  const wanted = new Map<string, string>();
  for (const { sha256, expiresAt } of tokens) {
    for (const projectId of projectIds) {
      wanted.set(tokenKey(sha256, projectId), expiresAt ? String(+expiresAt) : "never");
    }
  }
  const changes: KeyChange[] = [];
  for (const [key, after] of wanted) {
    const before = values.get(key);
    if (before !== after) changes.push({ key, before, after });
  }
  for (const [key, before] of values) {
    // A value with a space is that of a preview (L15), which has no token in the store.
    if (!key.startsWith(TOKEN) || wanted.has(key) || before.includes(" ")) continue;
    const projectId = key.slice(key.indexOf(":", TOKEN.length) + 1);
    if (projectIds.includes(projectId)) changes.push({ key, before, after: undefined });
  }
  return changes;
}

/** Writes that may fail because other keys of the store were changed concurrently. */
const ATTEMPTS = 20;

/**
 * Applies planned changes, at most 50 keys a call, as long as each key still has its `before` (or
 * already its `after`: the response to an earlier attempt may have been lost).
 *
 * @param planned the snapshot that was planned from.
 * @param recheck awaited with each later snapshot, before a further attempt; throws to end it.
 * @throws SvcError `deployed-meanwhile` with what is live now, `kvs-busy`.
 */
export async function applyPointerUpdate(
  store: KeyValueStore,
  planned: KeyValues,
  changes: PointerUpdate,
  recheck: (now: KeyValues) => Promise<void> = async () => {},
): Promise<void> {
  let { etag } = planned;
  const rest = [...changes];
  for (let attempt = 0; rest.length > 0; ) {
    const batch = rest.slice(0, MAX_KEYS);
    const updated = await store.update(etag, requestOf(batch));
    if (updated !== "stale") {
      etag = updated.etag;
      rest.splice(0, batch.length);
      continue;
    }
    attempt += 1;
    const now = await store.read();
    assertNotOvertaken(now, changes, rest);
    if (attempt === ATTEMPTS) {
      throw new SvcError("kvs-busy", `others keep changing ${store.arn}: no update succeeded`, {
        hint: "run the same command again",
      });
    }
    // The batch was applied, but its response lost.
    if (batch.every(({ key, after }) => now.values.get(key) === after))
      rest.splice(0, batch.length);
    if (rest.length > 0) await recheck(now);
    etag = now.etag;
  }
}

function requestOf(batch: readonly KeyChange[]) {
  const puts = new Map<string, string>();
  const deletes: string[] = [];
  for (const { key, after } of batch) {
    if (after === undefined) deletes.push(key);
    else puts.set(key, after);
  }
  return { puts, deletes };
}

/**
 * @param pending the changes that are not applied yet.
 * @throws SvcError `deployed-meanwhile` when applied changes have been overwritten.
 */
export function assertNotOvertaken(
  { values }: KeyValues,
  changes: PointerUpdate,
  pending: PointerUpdate = [],
): void {
  for (const change of changes) {
    const { key, before, after } = change;
    const value = values.get(key);
    if (value === after || (value === before && pending.includes(change))) continue;
    const what = changeText(key, value);
    throw new SvcError("deployed-meanwhile", `someone else deployed meanwhile: ${what}`, {
      hint: "decide which deploy is the right one, then run the same command again: it makes a new plan",
    });
  }
}

function changeText(key: string, value = "nothing"): string {
  if (key.startsWith(POINTER))
    return `project "${key.slice(POINTER.length)}" is live from ${value} now`;
  if (key.startsWith(REMOVAL)) return "another prune has taken over";
  if (key.startsWith(TOKEN)) return "the preview tokens have changed";
  if (key.startsWith(HOLD)) return "the hold has changed";
  return "the log has changed";
}
