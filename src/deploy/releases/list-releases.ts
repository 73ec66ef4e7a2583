import { SvcError } from "../../workspace/errors.ts";
import { forEach, type Work } from "../concurrent-work.ts";
import type { KeyValueStore, KeyValues } from "../key-value-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { textBody } from "../published-folder.ts";
import { UNCACHED_JSON } from "../upload.ts";
import { PINS, RELEASES } from "./keys.ts";
import { liveLog, livePointers } from "./pointers.ts";
import { manifestKey, parseRelease, partsOfName, type Release } from "./release.ts";
import { assertNotBeingRemoved } from "./removal.ts";

/** The bucket of releases and the KeyValueStore with their pointers. */
export interface ReleaseStores {
  readonly objects: ObjectStore;
  readonly pointers: KeyValueStore;
}

/** A release in a bucket. */
export interface ListedRelease {
  readonly release: string;
  readonly workspaceId: string;
  readonly versionId: string;
  /** When its upload was completed; null for an incomplete one. */
  readonly deployedAt: Date | null;
  /** The ids of the projects that are served from it, sorted. */
  readonly live: readonly string[];
  readonly isPinned: boolean;
}

/** The releases of a bucket, sorted by workspace, newest first. */
export async function listReleases(
  { objects, pointers }: ReleaseStores,
  work: Work,
  workspaceId?: string,
): Promise<{ releases: ListedRelease[]; state: KeyValues }> {
  const state = await pointers.read();
  const live = livePointers(state);
  const pins = await pinnedReleases(objects);
  const releases: ListedRelease[] = [];
  await forEach(
    await releaseNames(objects, workspaceId),
    work,
    "releases read",
    async (release) => {
      const parts = partsOfName(release);
      if (parts === undefined) return;
      const manifest = await objects.head(manifestKey(release));
      releases.push({
        release,
        workspaceId: parts.workspaceId,
        versionId: parts.versionId,
        deployedAt: manifest?.lastModified ?? null,
        live: [...live].flatMap(([project, name]) => (name === release ? project : [])).sort(),
        isPinned: pins.has(release),
      });
    },
  );
  return { releases: releases.sort(newestFirst), state };
}

function newestFirst(a: ListedRelease, b: ListedRelease): number {
  if (a.workspaceId !== b.workspaceId) return a.workspaceId < b.workspaceId ? -1 : 1;
  const later = Number(b.deployedAt ?? 0) - Number(a.deployedAt ?? 0);
  return later || (a.release < b.release ? -1 : 1);
}

async function releaseNames(objects: ObjectStore, workspaceId?: string): Promise<string[]> {
  const names: string[] = [];
  const workspaces =
    workspaceId === undefined ? objects.folders(RELEASES) : [`${RELEASES}${workspaceId}/`];
  for await (const workspace of workspaces) {
    for await (const folder of objects.folders(workspace)) {
      names.push(folder.slice(RELEASES.length, -1));
    }
  }
  return names;
}

/** The names of the releases that are never pruned. */
export async function pinnedReleases(objects: ObjectStore): Promise<Set<string>> {
  const pins = new Set<string>();
  for await (const { key } of objects.list(PINS)) pins.add(key.slice(PINS.length));
  return pins;
}

/**
 * Pins a release, unless a prune is removing it: each puts its own entry before it looks for the other's.
 * A pin from before stays.
 *
 * @throws SvcError `release-being-removed`, `release-not-found`, `release-differs`.
 */
export async function pinRelease(
  { objects, pointers }: ReleaseStores,
  name: string,
): Promise<void> {
  const wasPinned = (await objects.head(PINS + name)) !== undefined;
  await objects.put(PINS + name, textBody("{}\n"), UNCACHED_JSON);
  try {
    const state = await pointers.read();
    assertNotBeingRemoved(state, [await readRelease(objects, name)]);
  } catch (error) {
    if (!wasPinned) await objects.delete([PINS + name]);
    throw error;
  }
}

/**
 * Finds a release by its name or by a unique prefix of its id or version id; without `text`, the one
 * that was live before the current one (L3).
 *
 * @throws SvcError `release-not-found`, `release-ambiguous`, `no-earlier-release`,
 *   `workspace-ambiguous`.
 */
export async function findRelease(
  stores: ReleaseStores,
  work: Work,
  wanted: { readonly text?: string | undefined; readonly workspaceId?: string | undefined },
): Promise<ListedRelease> {
  const { releases, state } = await listReleases(stores, work, wanted.workspaceId);
  const complete = releases.filter(({ deployedAt }) => deployedAt !== null);
  if (wanted.text === undefined) return previousRelease(complete, state);
  const text = wanted.text;
  const found = complete.filter(
    ({ release }) => release === text || partsOfName(release)?.id.startsWith(text),
  );
  const [one, another] = found;
  if (one === undefined) {
    throw new SvcError("release-not-found", `there is no release "${text}"`, {
      hint: "run svc deploy list to see the releases",
    });
  }
  if (another === undefined) return one;
  const names = found.map(({ release }) => release);
  throw new SvcError("release-ambiguous", `"${text}" matches ${names.length} releases`, {
    hint: `give one of them: ${names.join(", ")}`,
  });
}

function previousRelease(releases: readonly ListedRelease[], state: KeyValues): ListedRelease {
  const live = releases.filter((one) => one.live.length > 0);
  const workspaces = [...new Set(live.map(({ workspaceId }) => workspaceId))];
  const [workspaceId, other] = workspaces;
  if (other !== undefined) {
    throw new SvcError(
      "workspace-ambiguous",
      `several workspaces are live: ${workspaces.join(", ")}`,
      {
        hint: "choose one with --workspace",
      },
    );
  }
  const log = workspaceId === undefined ? [] : liveLog(state, workspaceId);
  const earlier = log
    .map((name) => releases.find(({ release }) => release === name))
    .find((one) => one !== undefined && one.live.length === 0);
  if (earlier !== undefined) return earlier;
  throw new SvcError("no-earlier-release", "no earlier release has been live", {
    hint: "run svc deploy list, and give one of its releases",
  });
}

/**
 * Reads a release's manifest from the bucket.
 *
 * @throws SvcError `release-not-found`, `release-differs` when the manifest's hash is not in the name.
 */
export async function readRelease(objects: ObjectStore, name: string): Promise<Release> {
  const stored = await objects.get(manifestKey(name));
  if (stored === undefined) {
    throw new SvcError(
      "release-not-found",
      `${objects.name} has no release ${name}, or an incomplete one`,
      {
        hint: "run svc deploy list to see the releases",
      },
    );
  }
  const release = parseRelease(name, stored.bytes.toString());
  if (release !== undefined) return release;
  throw new SvcError(
    "release-differs",
    `the manifest of release ${name} was changed after the deploy`,
    {
      hint: "another program wrote there: choose another release, or deploy this version again",
    },
  );
}
