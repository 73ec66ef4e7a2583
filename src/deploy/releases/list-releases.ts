import { forEach, type Work } from "../concurrent-work.ts";
import type { KeyValues } from "../key-value-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { PINS, RELEASES } from "./keys.ts";
import type { ReleaseStores } from "./plan-release.ts";
import { livePointers } from "./pointers.ts";
import { manifestKey, partsOfName } from "./release.ts";

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
