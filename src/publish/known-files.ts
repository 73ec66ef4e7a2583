import { readFileSync, type Stats } from "node:fs";
import { join, resolve } from "node:path";
import { sha256 } from "../documents/version-id.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { guard } from "./guard.ts";
import { type FileFact, MANIFEST, type ReadManifest } from "./manifest.ts";
import type { OutFolder } from "./out-folder.ts";
import type { OutState, VersionStore } from "./version-store.ts";

/**
 * How long after a file was changed it may be changed again with the same times, in milliseconds:
 * file systems tell times by steps of some 10 ms, or, if they tell no fractions, of up to two seconds.
 */
function stepOf(ctimeMs: number): number {
  return ctimeMs % 1000 === 0 ? 2100 : 20;
}

/** How a file looks from outside: renaming it changes none of it, writing to it does. */
export type Look = readonly [inode: number, size: number, mtimeMs: number];

export function lookOf({ ino, size, mtimeMs }: Stats): Look {
  return [ino, size, mtimeMs];
}

/** What a file holds, known without reading it. */
export interface KnownFile {
  readonly fact: FileFact;
  /** The version that the documents of its workspace name. */
  readonly versionId: string;
}

/** Tells what a file holds that looks so; undefined: it has to be read. */
export type Known = (path: string, stats: Stats) => KnownFile | undefined;

export interface KnownFiles {
  readonly file: Known;
  /** Whether the manifest is as it was left when the workspace's files were. */
  readonly isManifestAsLeft: boolean;
}

/**
 * The files of a workspace in `out/` that look as they did when they were written or read last: what
 * they hold is known in a fifth of the time of reading them.
 */
export function knownFiles(
  store: VersionStore,
  { number, id }: WorkspaceRow,
  folder: OutFolder,
  before: ReadManifest | undefined,
): KnownFiles {
  const published = before?.manifest.workspaces[id];
  const state = published && store.outStates.find(number, resolve(folder.path));
  if (published === undefined || state === undefined || state.manifest !== before?.sha256) {
    return NOTHING_KNOWN;
  }
  const { versionId } = published;
  const paths = Object.keys(published.files);
  if (state.files.length !== paths.length * NUMBERS) return NOTHING_KNOWN;
  const places = new Map(paths.map((path, index) => [path, index * NUMBERS]));
  const file: Known = (path, stats) => {
    const place = places.get(path);
    const fact = published.files[path];
    if (place === undefined || fact === undefined) return undefined;
    if (stats.ctimeMs >= state.seenAt - stepOf(stats.ctimeMs)) return undefined;
    const isSame = numbersOf(stats).every((value, index) => value === state.files[place + index]);
    return isSame ? { fact, versionId } : undefined;
  };
  return { file, isManifestAsLeft: true };
}

const NOTHING_KNOWN: KnownFiles = { file: () => undefined, isManifestAsLeft: false };

/**
 * The state of a workspace's files as they are now. A file that does not look any more as it did
 * when it was compared or written has been changed by somebody else since: it is not known.
 *
 * @param paths in the manifest's order.
 */
export function outState(
  folder: OutFolder,
  paths: readonly string[],
  looks: ReadonlyMap<string, Look>,
): OutState {
  const seenAt = Date.now();
  const files = new Float64Array(paths.length * NUMBERS);
  for (const [index, path] of paths.entries()) {
    const stats = folder.look(path);
    const look = looks.get(path);
    if (stats === undefined || look === undefined) continue;
    const now = lookOf(stats);
    if (look.every((value, place) => value === now[place])) {
      files.set(numbersOf(stats), index * NUMBERS);
    }
  }
  const path = join(folder.path, MANIFEST);
  const manifest = sha256(guard(path, () => readFileSync(path), "read"));
  return { manifest, seenAt, files };
}

/** How many numbers a file has in a state. */
const NUMBERS = 4;

/** Whoever changes a file cannot but change its ctime. */
function numbersOf({ ino, size, mtimeMs, ctimeMs }: Stats): [number, number, number, number] {
  return [ino, size, mtimeMs, ctimeMs];
}
