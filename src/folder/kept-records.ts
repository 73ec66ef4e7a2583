import type { Asset } from "../workspace/asset.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { KINDS, type Kind } from "../workspace/records.ts";
import type { FolderRecords } from "./folder-draft.ts";

type Known = { readonly id: string; readonly key?: string };
type RecordMap = Map<string, Known>;

/**
 * H10a: adds the records of files with faults as they last were, unless another has the id or key now.
 *
 * @param files with faults.
 * @param ids of the records that files of their own had.
 * @returns with the ids that were kept of files of their own.
 */
export function withKept(
  now: FolderRecords,
  before: FolderRecords,
  files: Iterable<string>,
  ids: ReadonlyMap<string, string>,
): { readonly records: FolderRecords; readonly kept: ReadonlyMap<string, string> } {
  const [maps, last] = [mapsOf(now), mapsOf(before)];
  const bytes = new Map(now.files);
  const kept = new Map<string, string>();
  for (const file of files) {
    const kind = KINDS.find((one) => new RegExp(`^${one}(?:[./]|$)`).test(file));
    if (kind === undefined) continue;
    const isOwn = file.startsWith(`${kind}/`);
    const own = last[kind].get(ids.get(file) ?? "");
    for (const record of isOwn ? (own ? [own] : []) : last[kind].values()) {
      if (isTaken(record, maps[kind])) continue;
      maps[kind].set(record.id, record);
      if (isOwn) kept.set(file, record.id);
      if (kind === "assets") {
        for (const { sha256 = "" } of filesOf(record as Asset)) {
          const known = before.files.get(sha256);
          if (known !== undefined && !bytes.has(sha256)) bytes.set(sha256, known);
        }
      }
    }
  }
  const inOrder = (kind: Kind) =>
    [...maps[kind].values()].sort((a, b) => byCodeUnit(a.id, b.id)) as never[];
  const [models, blocks, features, projects] = (
    ["models", "blocks", "features", "projects"] as const
  ).map(inOrder) as [never[], never[], never[], never[]];
  return { records: { ...now, models, blocks, features, projects, files: bytes }, kept };
}

function isTaken({ id, key }: Known, map: RecordMap) {
  return map.has(id) || (key !== undefined && [...map.values()].some((one) => one.key === key));
}

function filesOf(asset: Asset) {
  return [asset, ...(asset.versions ?? [])];
}

/** Those of entries and assets are the records' own. */
function mapsOf({ models, blocks, features, projects, entries, assets }: FolderRecords) {
  const byId = (list: readonly Known[]): RecordMap => new Map(list.map((one) => [one.id, one]));
  const own = (map: ReadonlyMap<string, Known>) => map as RecordMap;
  return {
    models: byId(models),
    blocks: byId(blocks),
    features: byId(features),
    projects: byId(projects),
    entries: own(entries),
    assets: own(assets),
  };
}
