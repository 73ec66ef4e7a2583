import { SvcError } from "../workspace/errors.ts";
import { type Hold, heldError, holdFrom } from "../workspace/hold.ts";
import { parsedJson } from "../workspace/json.ts";
import { manifestText, readManifest, unmarked } from "./in-place/manifest.ts";
import { assertNotRunning } from "./in-place/running-mark.ts";
import type { KeyValueStore, KeyValues } from "./key-value-store.ts";
import { type ObjectStore, unchangedSince } from "./object-store.ts";
import { textBody } from "./published-folder.ts";
import { IN_PLACE_MANIFEST } from "./refusals.ts";
import { HOLD, holdKey } from "./releases/keys.ts";
import { applyPointerUpdate, type KeyChange } from "./releases/pointers.ts";
import { UNCACHED_JSON } from "./upload.ts";

/** L3a: holds by workspace. */
export type Holds = Readonly<Record<string, Hold>>;

/** The holds of a KeyValueStore, sorted by workspace. */
export function holdsOf({ values }: KeyValues): Holds {
  const found = [...values].flatMap(([key, value]) =>
    key.startsWith(HOLD) ? [[key.slice(HOLD.length), value] as const] : [],
  );
  return Object.fromEntries(
    found.sort().map(([id, value]) => [id, holdFrom(parsedJson(value))] as const),
  );
}

/** The change that begins, changes or (undefined) ends a hold. */
export function holdChange(
  state: KeyValues,
  workspaceId: string,
  hold: Hold | undefined,
): KeyChange {
  const key = holdKey(workspaceId);
  return { key, before: state.values.get(key), after: hold && JSON.stringify(hold) };
}

/** The error `held` when one of these workspaces is. */
export function heldBy(holds: Holds, workspaceIds: readonly string[]): SvcError | undefined {
  const held = workspaceIds.find((id) => Object.hasOwn(holds, id));
  return held === undefined
    ? undefined
    : heldError(held, holds[held] as Hold, `svc deploy resume --workspace ${held}`);
}

/** @throws SvcError `held`. */
export function assertNotHeld(holds: Holds, workspaceIds: readonly string[]): void {
  const error = heldBy(holds, workspaceIds);
  if (error !== undefined) throw error;
}

/**
 * Ends the hold of a workspace, or of all, of releases. Returns those that ended.
 *
 * @throws SvcError `deployed-meanwhile` when somebody else changes one meanwhile.
 */
export async function resumeReleases(store: KeyValueStore, workspaceId?: string): Promise<Holds> {
  const state = await store.read();
  const ended = chosen(holdsOf(state), workspaceId);
  const changes = Object.keys(ended).map((id) => holdChange(state, id, undefined));
  await applyPointerUpdate(store, state, changes);
  return ended;
}

/**
 * The same of a bucket that is deployed to in place.
 *
 * @throws SvcError `deploy-running`, `deploy-manifest-changing`, `deploy-manifest-invalid`.
 */
export async function resumeInPlace(objects: ObjectStore, workspaceId?: string): Promise<Holds> {
  const state = await readManifest(objects);
  assertNotRunning(state);
  const { holds, ...manifest } = unmarked(state.manifest);
  const ended = chosen(holds, workspaceId);
  const kept = Object.entries(holds).filter(([id]) => !Object.hasOwn(ended, id));
  if (Object.keys(ended).length === 0) return ended;
  const body = textBody(manifestText({ ...manifest, holds: Object.fromEntries(kept) }));
  const condition = unchangedSince(state.etag);
  const stored = await objects.put(IN_PLACE_MANIFEST, body, UNCACHED_JSON, condition);
  if (stored !== undefined) return ended;
  const manifestName = `${objects.name}/${IN_PLACE_MANIFEST}`;
  throw new SvcError("deploy-manifest-changing", `${manifestName} was changed meanwhile`, {
    hint: "run the same command again",
  });
}

function chosen(holds: Holds, workspaceId: string | undefined): Holds {
  const entries = Object.entries(holds).filter(([id]) => (workspaceId ?? id) === id);
  return Object.fromEntries(entries);
}
