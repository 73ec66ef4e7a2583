import { readFileSync } from "node:fs";
import { ByteHolder, type HeldBytes, heldCopy, heldText, isHeld } from "../documents/held-bytes.ts";
import { sha256 } from "../documents/version-id.ts";
import type { Asset } from "../workspace/asset.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type {
  Block,
  Feature,
  Model,
  Project,
  Publishing,
  Workspace,
} from "../workspace/records.ts";
import type { SourceItem, WorkspaceSource } from "../workspace/source.ts";

/** An entry of a folder. Its bytes are its record as JSON. */
export interface FolderEntry extends EntryHead, HeldBytes {}

/** What a workspace folder has. */
export interface FolderRecords {
  readonly workspace: Workspace;
  readonly previewToken: string | undefined;
  /** Each list is in order of the ids. */
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly projects: readonly Project[];
  readonly entries: ReadonlyMap<string, FolderEntry>;
  readonly assets: ReadonlyMap<string, Asset>;
  /** By SHA-256 the paths of the files of assets, or the bytes of one without a path. */
  readonly files: ReadonlyMap<string, string | HeldBytes>;
}

export type FolderDraft = FolderRecords & Draft;

export function folderDraft(records: FolderRecords): FolderDraft {
  return {
    ...records,
    dataOf: (entry) => JSON.parse(heldText(entry as FolderEntry)).data,
    fileBytes: (hash) => fileBytes(records, hash),
    // A folder is one workspace.
    isForeignEntry: () => false,
  };
}

/** @throws SvcError `file-changed` when the file is no longer the one that was read. */
function fileBytes({ files }: FolderRecords, hash: string): Uint8Array | undefined {
  const path = files.get(hash);
  if (path === undefined) return undefined;
  const bytes = typeof path === "string" ? bytesOf(path) : heldCopy(path);
  if (bytes !== undefined && sha256(bytes) === hash) return bytes;
  throw new SvcError(
    "file-changed",
    `the file "${path}" was changed or removed since it was read`,
    {
      hint: "leave the folder as it is until the command has ended",
    },
  );
}

function bytesOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Reads all records of a source.
 *
 * @param earlier what the same source had before: what did not change is the same object.
 * @param holder holds the bytes of new and changed records.
 */
export function readRecords(
  source: WorkspaceSource,
  earlier?: FolderRecords,
  holder = new ByteHolder(),
): FolderRecords {
  const lists = { models: [], blocks: [], features: [], projects: [] } as {
    [kind in "models" | "blocks" | "features" | "projects"]: (Model & Feature & Project)[];
  };
  const entries = new Map<string, FolderEntry>();
  const assets = new Map<string, Asset>();
  const files = new Map<string, string | HeldBytes>();
  /** Each once, though each record has a copy of it. */
  const modelIds = new Map<string, string>();
  let settings: { workspace: Workspace; previewToken: string | undefined } | undefined;
  for (const item of source) {
    switch (item.kind) {
      case "workspace":
        settings = { workspace: item.record, previewToken: item.previewToken };
        break;
      case "entries": {
        const { id } = item.record;
        const modelId = modelIds.get(item.record.modelId) ?? item.record.modelId;
        modelIds.set(modelId, modelId);
        const shared = { ...item, record: { ...item.record, modelId } };
        entries.set(id, folderEntry(shared, earlier?.entries.get(id), holder));
        break;
      }
      case "assets": {
        const { record } = item;
        const known = earlier?.assets.get(record.id);
        const isSame = JSON.stringify(known) === JSON.stringify(record);
        assets.set(record.id, known !== undefined && isSame ? known : record);
        break;
      }
      case "file": {
        const known = earlier?.files.get(item.sha256);
        const isKnown = typeof known === "object";
        files.set(item.sha256, item.path ?? (isKnown ? known : holder.add(item.bytes)));
        break;
      }
      default:
        (lists[item.kind] as object[]).push(item.record);
    }
  }
  if (settings === undefined) throw new TypeError("the source gave no workspace");
  for (const list of Object.values(lists)) list.sort((a, b) => byCodeUnit(a.id, b.id));
  return { ...settings, ...lists, entries, assets, files };
}

type EntryItem = Extract<SourceItem, { kind: "entries" }>;

/** @param known what the entry was before: it is returned if the record is the same. */
export function folderEntry(
  { record, json = Buffer.from(JSON.stringify(record)) }: EntryItem,
  known: FolderEntry | undefined,
  holder: ByteHolder,
): FolderEntry {
  if (known !== undefined && isHeld(known, json)) return known;
  const { id, modelId, draft, publishAt, unpublishAt } = record;
  const saysNothing = draft === undefined && publishAt === undefined && unpublishAt === undefined;
  const publishing: Publishing | undefined = saysNothing
    ? undefined
    : {
        ...(draft !== undefined && { draft }),
        ...(publishAt !== undefined && { publishAt }),
        ...(unpublishAt !== undefined && { unpublishAt }),
      };
  return { id, modelId, publishing, ...holder.add(json) };
}
