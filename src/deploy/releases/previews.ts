import { projectIdsOf } from "../../diff/published-documents.ts";
import type { KeyValueStore, KeyValues } from "../key-value-store.ts";
import { previewedKey, TOKEN, tokenKey } from "./keys.ts";
import { applyPointerUpdate, type PointerUpdate } from "./pointers.ts";
import type { Release } from "./release.ts";

/** L15: a release that holders of a token see before it is live, as of a pull request. */
export interface Preview {
  /** A name such as `pr-41`: a later preview of that name takes its place. */
  readonly name: string;
  /** Of the token, lower-case hex. */
  readonly sha256: string;
  readonly expiresAt: Date;
}

export interface ListedPreview {
  readonly name: string;
  readonly release: string;
  readonly expiresAt: Date;
}

/** The value of a token's key: `<milliseconds since 1970> <release> <name>`; of the draft it has the time alone. */
const VALUE = /^(\d+) (\S+) (\S+)$/;

/** L13: of a Date, in milliseconds; a value may be anybody's. */
const LAST_TIME = 8.64e15;

/** The previews of a store, those that have expired too, by name. */
export function previewsIn(state: KeyValues): ListedPreview[] {
  const found = new Map(shownIn(state).map(({ one }) => [`${one.name} ${one.release}`, one]));
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A key for each project of each preview. */
function shownIn({ values }: KeyValues): { key: string; value: string; one: ListedPreview }[] {
  return [...values].flatMap(([key, value]) => {
    const [, at, release = "", name = ""] = VALUE.exec(value) ?? [];
    const one = { name, release, expiresAt: new Date(Math.min(Number(at), LAST_TIME)) };
    return key.startsWith(TOKEN) && name !== "" ? [{ key, value, one }] : [];
  });
}

/** L4, L4a: the preview that has the release, before it expires. */
export function previewOf(state: KeyValues, release: string, now: Date): ListedPreview | undefined {
  return previewsIn(state).find((one) => one.release === release && one.expiresAt > now);
}

/**
 * The changes by which a token shows these releases, and that of an earlier preview of the name nothing.
 *
 * @param bucket the name of the one that has them.
 */
export function planPreview(
  state: KeyValues,
  releases: readonly Release[],
  bucket: string,
  { name, sha256, expiresAt }: Preview,
): PointerUpdate {
  const known = releases.map(({ manifest: { workspaceId } }) => {
    const key = previewedKey(workspaceId);
    return { key, before: state.values.get(key), after: bucket };
  });
  const added = releases.flatMap((release) =>
    projectIdsOf(Object.keys(release.manifest.files)).map((projectId) => ({
      key: tokenKey(sha256, projectId),
      before: undefined,
      after: `${+expiresAt} ${release.name} ${name}`,
    })),
  );
  const dropped = without(state, (one) => one.name === name);
  return [...known.filter(({ before, after }) => before !== after), ...added, ...dropped];
}

/** Removes previews, by their keys. Returns whether there was one. */
export async function dropPreviews(
  store: KeyValueStore,
  isDropped: (preview: ListedPreview) => boolean,
): Promise<boolean> {
  const state = await store.read();
  const changes = without(state, isDropped);
  await applyPointerUpdate(store, state, changes);
  return changes.length > 0;
}

function without(state: KeyValues, isDropped: (preview: ListedPreview) => boolean): PointerUpdate {
  const dropped = shownIn(state).filter(({ one }) => isDropped(one));
  return dropped.map(({ key, value }) => ({ key, before: value, after: undefined }));
}
