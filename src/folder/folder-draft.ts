import { readFileSync } from "node:fs";
import { ByteHolder, type HeldBytes, heldCopy, heldText, isHeld } from "../documents/held-bytes.ts";
import { sha256 } from "../documents/version-id.ts";
import type { Asset } from "../workspace/asset.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import {
  type Block,
  type Feature,
  KINDS,
  type Kind,
  type Model,
  type Project,
  type Publishing,
  type Workspace,
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
 */
export function readRecords(source: WorkspaceSource, earlier?: FolderRecords): FolderRecords {
  const gathered = new GatheredRecords(earlier, new ByteHolder());
  for (const kind of KINDS) gathered.leave(kind, earlier?.[kind].values() ?? []);
  for (const item of source) gathered.add(item);
  return gathered.records();
}

/** A record of a folder, as it is in memory. */
export type FolderRecord = FolderEntry | Asset | Model | Block | Feature | Project;

type ById<T> = ReadonlyMap<string, T>;

/** The records of a folder, one after the other; what is as it was before is the same object (H10). */
export class GatheredRecords {
  readonly #earlier: FolderRecords | undefined;
  readonly #holder: ByteHolder;
  readonly #known: { readonly [kind in Kind]: ById<FolderRecord> };
  readonly #now = byKind(() => new Map<string, FolderRecord>());
  readonly #files = new Map<string, string | HeldBytes>();
  /** The ids of those that are there only if they are added, and the hashes of their files. */
  readonly #left = byKind((): string[] => []);
  readonly #leftFiles: string[] = [];
  #settings: Pick<FolderRecords, "workspace" | "previewToken"> | undefined;
  /** Each once, though each record has a copy of it. */
  readonly #modelIds = new Map<string, string>();

  /**
   * @param earlier what there was before, all of which stays unless it is left.
   * @param holder holds the bytes of new and changed records.
   */
  constructor(earlier: FolderRecords | undefined, holder: ByteHolder) {
    this.#earlier = earlier;
    this.#holder = holder;
    this.#known = byKind((kind) => byId(earlier?.[kind]));
    this.#settings = earlier;
  }

  /** Whether there is a `workspace.json` to show. */
  get hasSettings(): boolean {
    return this.#settings !== undefined;
  }

  /** Returns the record in memory; undefined: the item is none. */
  add(item: SourceItem): FolderRecord | undefined {
    switch (item.kind) {
      case "workspace": {
        const workspace = sameOr(this.#earlier?.workspace, item.record);
        this.#settings = { workspace, previewToken: item.previewToken };
        return undefined;
      }
      case "file": {
        const known = this.#earlier?.files.get(item.sha256);
        const isKnown = typeof known === "object";
        const held = item.path ?? (isKnown ? known : this.#holder.add(item.bytes));
        this.#files.set(item.sha256, held);
        return undefined;
      }
      case "entries":
        return this.put("entries", this.#entry(item));
      default:
        return this.put(item.kind, sameOr(this.#known[item.kind].get(item.record.id), item.record));
    }
  }

  put(kind: Kind, record: FolderRecord): FolderRecord {
    this.#now[kind].set(record.id, record);
    return record;
  }

  #entry({ record, json = Buffer.from(JSON.stringify(record)) }: EntryItem): FolderEntry {
    const { id, draft, publishAt, unpublishAt } = record;
    const known = this.#earlier?.entries.get(id);
    if (known !== undefined && isHeld(known, json)) return known;
    const modelId = this.#modelIds.get(record.modelId) ?? record.modelId;
    this.#modelIds.set(modelId, modelId);
    const saysNothing = draft === undefined && publishAt === undefined && unpublishAt === undefined;
    const publishing: Publishing | undefined = saysNothing
      ? undefined
      : {
          ...(draft !== undefined && { draft }),
          ...(publishAt !== undefined && { publishAt }),
          ...(unpublishAt !== undefined && { unpublishAt }),
        };
    return { id, modelId, publishing, ...this.#holder.add(json) };
  }

  /** Records that there were before are there only if they are added. */
  leave(kind: Kind, records: Iterable<FolderRecord>): void {
    for (const record of records) {
      this.#left[kind].push(record.id);
      if (kind === "assets") this.#leftFiles.push(...hashesOf(record));
    }
  }

  /** H10a: adds a record as it was before, unless another has its id or key now. Returns whether it was added. */
  keep(kind: Kind, record: FolderRecord): boolean {
    const now = this.#now[kind];
    const hasKey = (one: FolderRecord) => "key" in one && "key" in record && one.key === record.key;
    if (now.has(record.id) || [...now.values()].some(hasKey)) return false;
    now.set(record.id, record);
    for (const hash of hashesOf(record)) {
      const known = this.#earlier?.files.get(hash);
      if (known !== undefined && !this.#files.has(hash)) this.#files.set(hash, known);
    }
    return true;
  }

  records(): FolderRecords {
    if (this.#settings === undefined) throw new TypeError("the source gave no workspace");
    const { workspace, previewToken } = this.#settings;
    const records = byKind((kind) => {
      const known = this.#known[kind];
      const all = afterReading(known, this.#left[kind], this.#now[kind]);
      if (kind === "entries" || kind === "assets") return all;
      if (this.#earlier !== undefined && all === known) return this.#earlier[kind];
      return [...all.values()].sort((a, b) => byCodeUnit(a.id, b.id));
    }) as Pick<FolderRecords, Kind>;
    const earlier = this.#earlier?.files ?? new Map();
    const files = afterReading(earlier, this.#leftFiles, this.#files);
    return { workspace, previewToken, ...records, files };
  }
}

function byKind<T>(of: (kind: Kind) => T): { readonly [kind in Kind]: T } {
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as { [kind in Kind]: T };
}

function byId(records: readonly FolderRecord[] | ById<FolderRecord> = []): ById<FolderRecord> {
  return "get" in records ? records : new Map(records.map((one) => [one.id, one]));
}

function sameOr<T>(known: unknown, value: T): T {
  const isKnown = known !== undefined && JSON.stringify(known) === JSON.stringify(value);
  return isKnown ? (known as T) : value;
}

/** The SHA-256s of the files of an asset. */
function hashesOf(record: FolderRecord): string[] {
  const { sha256, versions = [] } = record as Asset;
  return [sha256, ...versions.map((one) => one.sha256)].filter((one) => one !== undefined);
}

/** What is known, with what there is now for what is left; the same map if that is the same. */
function afterReading<T>(known: ById<T>, left: readonly string[], now: ById<T>): ById<T> {
  if (isIn(known, now) && left.every((id) => now.has(id))) return known;
  if (left.length === known.size) return now;
  const after = new Map(known);
  for (const id of left) if (!now.has(id)) after.delete(id);
  for (const [id, one] of now) after.set(id, one);
  return after;
}

function isIn<T>(all: ById<T>, some: ById<T>): boolean {
  for (const [id, one] of some) if (all.get(id) !== one) return false;
  return true;
}

type EntryItem = Extract<SourceItem, { kind: "entries" }>;
