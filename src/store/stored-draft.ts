import type { Database, Statement } from "better-sqlite3";
import { sha256 as hashOf } from "../documents/version-id.ts";
import type { Asset } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import type { Block, Entry, Feature, Model, Project, Workspace } from "../workspace/records.ts";
import { parseChecked } from "./row-check.ts";
import { damaged } from "./store-error.ts";
import { ENTRY_COLUMNS, StoredChanges, toEntry } from "./stored-changes.ts";

type EntryRow = Parameters<typeof toEntry>[0];

interface RecordRow {
  readonly id: string;
  readonly body: string;
  readonly row_check: number;
}

interface KnownRecord {
  readonly body: string;
  readonly record: unknown;
}

/** For a draft that is read at several revisions. */
export interface Reuse {
  readonly earlier: StoredDraft | undefined;
}

/** The draft of one workspace. Use it within one transaction. */
export class StoredDraft implements Draft {
  readonly workspace: Workspace;
  readonly revision: number;
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly changes: StoredChanges;
  readonly #number: number;
  readonly #entry: Statement<unknown[], EntryRow>;
  readonly #foreign: Statement<unknown[], number>;
  readonly #asset: Statement<unknown[], RecordRow>;
  readonly #file: Statement<unknown[], Uint8Array>;
  readonly #database: Database;
  readonly #known: ReadonlyMap<string, KnownRecord> = new Map();
  readonly #isReused: boolean;
  #projects: readonly Project[] | undefined;

  /** The parsed records with their JSON, by kind and id. */
  readonly #records = new Map<string, KnownRecord>();

  /** @param reuse unchanged records of the earlier draft are not parsed again. */
  constructor(database: Database, number: number, reuse?: Reuse) {
    this.#database = database;
    this.#number = number;
    if (reuse?.earlier !== undefined) this.#known = reuse.earlier.#records;
    this.#isReused = reuse !== undefined;
    const row = settingsRow(database, number);
    this.workspace = parseChecked(row.settings_check, "workspaces", row.id, row.id, row.settings);
    this.revision = row.revision;
    this.changes = new StoredChanges(database, number, row);
    this.models = this.#all("models");
    this.blocks = this.#all("blocks");
    this.features = this.#all("features");
    this.#entry = database.prepare(
      `SELECT ${ENTRY_COLUMNS} FROM entries WHERE id = ? AND workspace = ?`,
    );
    this.#foreign = database
      .prepare<unknown[], number>("SELECT 1 FROM entries WHERE id = ? AND workspace <> ? LIMIT 1")
      .pluck();
    this.#asset = database.prepare(
      "SELECT id, body, row_check FROM assets WHERE workspace = ? AND id = ?",
    );
    this.#file = database
      .prepare<unknown[], Uint8Array>("SELECT bytes FROM files WHERE sha256 = ?")
      .pluck();
  }

  /** Read at the first access: they may be very large. */
  get projects(): readonly Project[] {
    this.#projects ??= this.#all<Project>("projects");
    return this.#projects;
  }

  #all<T>(kind: string): T[] {
    const rows = this.#database
      .prepare<unknown[], RecordRow>(
        "SELECT id, body, row_check FROM records WHERE workspace = ? AND kind = ? ORDER BY id",
      )
      .iterate(this.#number, kind);
    const records: T[] = [];
    for (const { id, body, row_check } of rows) {
      const before = this.#known.get(`${kind} ${id}`);
      const record =
        before?.body === body
          ? (before.record as T)
          : parseChecked<T>(row_check, kind, id, kind, id, body);
      if (this.#isReused) this.#records.set(`${kind} ${id}`, { body, record });
      records.push(record);
    }
    return records;
  }

  entry(id: string): Entry | undefined {
    const row = this.#entry.get(id, this.#number);
    return row && toEntry(row);
  }

  isForeignEntry(id: string): boolean {
    return this.#foreign.get(id, this.#number) !== undefined;
  }

  asset(id: string): Asset | undefined {
    const row = this.#asset.get(this.#number, id);
    return row && toAsset(row);
  }

  /** In order of the ids by code unit. */
  *assets(): Generator<Asset> {
    const rows = this.#database
      .prepare<unknown[], RecordRow>(
        "SELECT id, body, row_check FROM assets WHERE workspace = ? ORDER BY id",
      )
      .iterate(this.#number);
    for (const row of rows) yield toAsset(row);
  }

  *unmeasuredAssets(): Generator<Asset> {
    const rows = this.#database
      .prepare<unknown[], RecordRow>(
        `SELECT id, body, row_check FROM assets WHERE workspace = ?
         AND instr(body, ?) > 0 AND instr(body, ?) > 0 ORDER BY id`,
      )
      .iterate(this.#number, '"width":null', '"sha256":"');
    for (const row of rows) yield toAsset(row);
  }

  get assetCount(): number {
    return this.#count("assets");
  }

  fileBytes(sha256: string): Uint8Array | undefined {
    const bytes = this.#file.get(sha256);
    if (bytes !== undefined && hashOf(bytes) !== sha256) throw damaged(`the file ${sha256}`);
    return bytes;
  }

  get entryCount(): number {
    return this.#count("entries");
  }

  *entries(): Generator<Entry> {
    const rows = this.#database
      .prepare<unknown[], EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM entries WHERE workspace = ? ORDER BY id`,
      )
      .iterate(this.#number);
    for (const row of rows) yield toEntry(row);
  }

  #count(table: "entries" | "assets"): number {
    return this.#database
      .prepare<unknown[], number>(`SELECT count(*) FROM ${table} WHERE workspace = ?`)
      .pluck()
      .get(this.#number) as number;
  }
}

function toAsset({ id, body, row_check }: RecordRow): Asset {
  return parseChecked(row_check, "assets", id, id, body);
}

function settingsRow(database: Database, number: number) {
  const row = database
    .prepare<
      unknown[],
      {
        id: string;
        settings: string;
        settings_check: number;
        revision: number;
        entryRemoved: number;
        assetChanged: number;
      }
    >(
      `SELECT id, settings, settings_check, revision, entry_removed AS entryRemoved,
       asset_changed AS assetChanged FROM workspaces WHERE number = ?`,
    )
    .get(number);
  if (row === undefined) throw damaged("a workspace is missing");
  return row;
}
