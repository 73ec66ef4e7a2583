import { type HeldBytes, receiveHeld } from "../documents/held-bytes.ts";
import type { Asset } from "../workspace/asset.ts";
import type { FolderEntry, FolderRecords } from "./folder-draft.ts";

/** What turns one state of a workspace folder into another, to be posted to other threads. */
export interface FolderChange {
  /** The settings and lists that differ, complete. */
  readonly lists: Partial<Pick<FolderRecords, (typeof LISTS)[number]>>;
  readonly entries: MapChange<FolderEntry>;
  readonly assets: MapChange<Asset>;
  readonly files: MapChange<string | HeldBytes>;
}

/** What turns one map into another. */
interface MapChange<V> {
  /** New and changed values. */
  readonly put: ReadonlyMap<string, V>;
  readonly removed: readonly string[];
}

const LISTS = ["workspace", "previewToken", "models", "blocks", "features", "projects"] as const;

/** Undefined: both states are the same. */
export function changeBetween(
  before: FolderRecords | undefined,
  after: FolderRecords,
): FolderChange | undefined {
  const differ = LISTS.filter((name) => !isSame(before?.[name], after[name]));
  const change = {
    lists: Object.fromEntries(differ.map((name) => [name, after[name]])),
    entries: mapChange(before?.entries, after.entries),
    assets: mapChange(before?.assets, after.assets),
    files: mapChange(before?.files, after.files),
  };
  const maps = [change.entries, change.assets, change.files];
  const isNone =
    differ.length === 0 && maps.every((one) => one.put.size + one.removed.length === 0);
  return before !== undefined && isNone ? undefined : change;
}

/** The other state; what does not change is the same object. */
export function afterChange(
  before: FolderRecords | undefined,
  { lists, entries, assets, files }: FolderChange,
): FolderRecords {
  for (const { record } of entries.put.values()) receiveHeld(record);
  for (const file of files.put.values()) if (typeof file !== "string") receiveHeld(file);
  return {
    ...(before as FolderRecords),
    ...lists,
    entries: changedMap(before?.entries, entries),
    assets: changedMap(before?.assets, assets),
    files: changedMap(before?.files, files),
  };
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

function mapChange<V>(
  before: ReadonlyMap<string, V> = new Map(),
  after: ReadonlyMap<string, V>,
): MapChange<V> {
  if (before === after) return { put: new Map(), removed: [] };
  const put = new Map<string, V>();
  for (const [key, value] of after) if (before.get(key) !== value) put.set(key, value);
  return { put, removed: [...before.keys()].filter((key) => !after.has(key)) };
}

function changedMap<V>(
  before: ReadonlyMap<string, V> = new Map(),
  { put, removed }: MapChange<V>,
): ReadonlyMap<string, V> {
  if (put.size === 0 && removed.length === 0) return before;
  if (before.size === 0) return put;
  const after = new Map(before);
  for (const key of removed) after.delete(key);
  for (const [key, value] of put) after.set(key, value);
  return after;
}
