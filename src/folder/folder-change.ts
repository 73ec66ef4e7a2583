import { type HeldBytes, receiveHeld } from "../documents/held-bytes.ts";
import type { Asset } from "../workspace/asset.ts";
import type { FolderEntry, FolderRecords } from "./folder-draft.ts";

/** What turns one state of a workspace folder into another. */
export interface FolderChange {
  /** The settings and lists that differ, complete. */
  readonly lists: Partial<Pick<FolderRecords, (typeof LISTS)[number]>>;
  readonly entries: MapChange<FolderEntry>;
  readonly assets: MapChange<Asset>;
  readonly files: MapChange<string | HeldBytes>;
}

export interface MapChange<V> {
  readonly put: ReadonlyMap<string, V>;
  readonly removed: readonly string[];
}

const LISTS = ["workspace", "previewToken", "models", "blocks", "features", "projects"] as const;

/** @param before undefined: nothing. */
export function changeBetween(
  before: FolderRecords | undefined,
  after: FolderRecords,
): FolderChange {
  const differ = LISTS.filter((name) => !isSame(before?.[name], after[name]));
  return {
    lists: Object.fromEntries(differ.map((name) => [name, after[name]])),
    entries: mapChange(before?.entries, after.entries),
    assets: mapChange(before?.assets, after.assets),
    files: mapChange(before?.files, after.files),
  };
}

/** What leads from nothing to these records. */
export function everythingOf({ entries, assets, files, ...records }: FolderRecords): FolderChange {
  const lists = Object.fromEntries(LISTS.map((name) => [name, records[name]]));
  const all = <V>(put: ReadonlyMap<string, V>) => ({ put, removed: [] });
  return { lists, entries: all(entries), assets: all(assets), files: all(files) };
}

export function entriesChange(entries: MapChange<FolderEntry>): FolderChange {
  return { lists: {}, entries, assets: NONE, files: NONE };
}

const NONE: MapChange<never> = { put: new Map<string, never>(), removed: [] };

export function isNothing({ lists, entries, assets, files }: FolderChange): boolean {
  const sizes = [entries, assets, files].map(({ put, removed }) => put.size + removed.length);
  return Object.keys(lists).length === 0 && sizes.every((size) => size === 0);
}

/** The other state; what does not change is the same object. */
export function afterChange(
  before: FolderRecords | undefined,
  { lists, entries, assets, files }: FolderChange,
): FolderRecords {
  for (const entry of entries.put.values()) receiveHeld(entry);
  for (const file of files.put.values()) if (typeof file !== "string") receiveHeld(file);
  return {
    ...(before as FolderRecords),
    ...lists,
    entries: changedMap(before?.entries, entries),
    assets: changedMap(before?.assets, assets),
    files: changedMap(before?.files, files),
  };
}

function changedMap<V>(
  before: ReadonlyMap<string, V> = new Map(),
  { put, removed }: MapChange<V>,
): ReadonlyMap<string, V> {
  if (put.size + removed.length === 0) return before;
  const changed = new Map(before);
  for (const id of removed) changed.delete(id);
  for (const [id, value] of put) changed.set(id, value);
  return changed;
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

export function mapChange<V>(
  before: ReadonlyMap<string, V> = new Map(),
  after: ReadonlyMap<string, V>,
): MapChange<V> {
  const put = new Map<string, V>();
  for (const [key, value] of after) if (before.get(key) !== value) put.set(key, value);
  return { put, removed: [...before.keys()].filter((key) => !after.has(key)) };
}
