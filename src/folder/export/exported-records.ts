import { sha256 } from "../../documents/version-id.ts";
import { type Asset, type AssetFile, portableName } from "../../workspace/asset.ts";
import { type Draft, entriesInOrder } from "../../workspace/draft.ts";
import { byCodeUnit, type JsonObject } from "../../workspace/json.ts";
import type { Kind } from "../../workspace/records.ts";
import { texts } from "../asset-records.ts";
import { type DataOrder, orderedRecord } from "./record-order.ts";

/** A record as it is written, beside the draft's own. */
export interface ExportedRecord {
  readonly id: string;
  readonly stored: JsonObject;
  written(): JsonObject;
  /** The files of an asset that the store holds: path and SHA-256. */
  readonly files: readonly (readonly [path: string, sha256: string])[];
}

export function exportedSettings({ workspace }: Draft, order: DataOrder): ExportedRecord {
  return plainRecord("workspace", workspace as unknown as JsonObject & { id: string }, order);
}

/** The records of a kind in order of their ids, with their members in order (G2). */
export function* exportedRecords(
  draft: Draft,
  kind: Kind,
  order: DataOrder,
): Generator<ExportedRecord> {
  if (kind === "assets") {
    const assets = [...draft.assets.values()].sort((a, b) => byCodeUnit(a.id, b.id));
    for (const asset of assets) yield exportedAsset(asset, order);
    return;
  }
  const records: Iterable<object> = kind === "entries" ? entriesInOrder(draft) : draft[kind];
  for (const record of records) {
    yield plainRecord(kind, record as JsonObject & { id: string }, order);
  }
}

/** The ids of a kind, without reading the records. */
export function recordIds(draft: Draft, kind: Kind): readonly string[] {
  if (kind === "entries" || kind === "assets") return [...draft[kind].keys()];
  return draft[kind].map(({ id }) => id);
}

export function dataOrder(draft: Draft): DataOrder {
  return {
    models: new Map(draft.models.map((model) => [model.id, model])),
    blocks: new Map(draft.blocks.map((block) => [block.id, block])),
    workspace: draft.workspace,
  };
}

function plainRecord(
  kind: Kind | "workspace",
  stored: JsonObject & { id: string },
  order: DataOrder,
): ExportedRecord {
  const written = () => orderedRecord(kind, stored, order);
  return { id: stored.id, stored, written, files: [] };
}

/** An asset as authored: with `file` instead of measured values where the draft has the bytes. */
function exportedAsset(stored: Asset, order: DataOrder): ExportedRecord {
  const files: [string, string][] = [];
  const authored = (file: AssetFile) => {
    const { id, fileName, mimeType, sha256, url, sizeBytes, width, height } = file;
    if (sha256 === undefined) {
      const sizes = Object.entries({ sizeBytes, width, height }).filter(
        ([, value]) => value !== null,
      );
      return {
        id,
        fileName,
        ...texts(file),
        mimeType,
        ...(url && { url }),
        ...Object.fromEntries(sizes),
      };
    }
    const path = `files/${sha256.slice(0, 16)}/${portableName(fileName)}`;
    files.push([path, sha256]);
    return { id, fileName, ...texts(file), mimeType, file: path };
  };
  const { versions } = stored;
  const record = { ...authored(stored), ...(versions && { versions: versions.map(authored) }) };
  const written = () => orderedRecord("assets", record as JsonObject, order);
  return { id: stored.id, stored: stored as unknown as JsonObject, written, files };
}

/**
 * G1: the file names of records by id, without extension: the id; with `~` and 8 hex digits of its
 * SHA-256 behind it when another id differs in letter case only; with `~` before it when Windows
 * reserves the name. No id contains `~`.
 */
export function fileNames(ids: readonly string[]): Map<string, string> {
  const count = new Map<string, number>();
  for (const id of ids) count.set(id.toLowerCase(), (count.get(id.toLowerCase()) ?? 0) + 1);
  return new Map(
    ids.map((id) => {
      const isAlone = count.get(id.toLowerCase()) === 1;
      return [id, portableName(isAlone ? id : `${id}~${sha256(id).slice(0, 8)}`)];
    }),
  );
}
