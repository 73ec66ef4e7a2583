import type { Database, Statement } from "better-sqlite3";
import { sha256 as hashOf } from "../documents/version-id.ts";
import type { Asset } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import type { Block, Entry, Feature, Model, Project, Workspace } from "../workspace/records.ts";
import { entryModelIds } from "./entry-ids.ts";
import { checkRow, parseChecked } from "./row-check.ts";
import { damaged } from "./store-error.ts";

interface EntryRow {
  readonly id: string;
  readonly model_id: string;
  readonly data: string;
  readonly row_check: number;
}

interface RecordRow {
  readonly id: string;
  readonly body: string;
  readonly row_check: number;
}

/** Says that a later state of a draft will be read too, and which one was read before. */
export interface Reuse<D> {
  readonly earlier: D | undefined;
}

/** The draft of one workspace, as it stands in the store. Use it within one transaction. */
export class StoredDraft implements Draft {
  readonly workspace: Workspace;
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly projects: readonly Project[];
  readonly #number: number;
  readonly #entry: Statement<unknown[], EntryRow>;
  readonly #allData: Statement<unknown[], [data: string, check: number]>;
  readonly #foreign: Statement<unknown[], number>;
  readonly #asset: Statement<unknown[], RecordRow>;
  readonly #file: Statement<unknown[], Uint8Array>;
  readonly #count: Statement<unknown[], number>;
  readonly #database: Database;
  #entryCount: number | undefined;
  /** The ids and model ids of all entries, in order of the ids, until all were read. */
  #index: { readonly ids: string[]; readonly modelIds: string[] } | undefined;

  /** By kind and id: the records that are at hand, each with the text that it was read from. */
  readonly #records = new Map<string, { readonly body: string; readonly record: unknown }>();

  /** @param reuse of an earlier state: its records are taken over where they are unchanged. */
  constructor(database: Database, number: number, reuse?: Reuse<StoredDraft>) {
    this.#database = database;
    this.#number = number;
    this.workspace = readSettings(database, number);
    const records = database.prepare<unknown[], RecordRow>(
      "SELECT id, body, row_check FROM records WHERE workspace = ? AND kind = ? ORDER BY id",
    );
    const known = (reuse?.earlier ?? this).#records;
    const all = <T>(kind: string) =>
      records.all(number, kind).map(({ id, body, row_check }) => {
        const before = known.get(`${kind} ${id}`);
        const record =
          before?.body === body
            ? (before.record as T)
            : parseChecked<T>(row_check, kind, id, kind, id, body);
        if (reuse !== undefined) this.#records.set(`${kind} ${id}`, { body, record });
        return record;
      });
    this.models = all("models");
    this.blocks = all("blocks");
    this.features = all("features");
    this.projects = all("projects");
    const columns = "SELECT id, model_id, data, row_check FROM entries";
    this.#entry = database.prepare(`${columns} WHERE workspace = ? AND id = ?`);
    this.#allData = database
      .prepare<unknown[], [string, number]>(
        "SELECT data, row_check FROM entries WHERE workspace = ? ORDER BY id",
      )
      .raw();
    this.#foreign = database
      .prepare<unknown[], number>(
        `SELECT 1 FROM workspaces JOIN entries ON entries.workspace = workspaces.number
         WHERE workspaces.number <> ? AND entries.id = ? LIMIT 1`,
      )
      .pluck();
    this.#asset = database.prepare(`${ASSET_COLUMNS} WHERE workspace = ? AND id = ?`);
    this.#file = database
      .prepare<unknown[], Uint8Array>("SELECT bytes FROM files WHERE sha256 = ?")
      .pluck();
    this.#count = database
      .prepare<unknown[], number>("SELECT count(*) FROM entries WHERE workspace = ?")
      .pluck();
  }

  entry(id: string): Entry | undefined {
    const row = this.#entry.get(this.#number, id);
    return row && toEntry(row.id, row.model_id, row.data, row.row_check);
  }

  entryModelId(id: string): string | undefined {
    const row = this.#entry.get(this.#number, id);
    if (row === undefined) return undefined;
    checkRow(row.row_check, "entries", id, id, row.model_id, row.data);
    return row.model_id;
  }

  isForeignEntry(id: string): boolean {
    return this.#foreign.get(this.#number, id) !== undefined;
  }

  asset(id: string): Asset | undefined {
    const row = this.#asset.get(this.#number, id);
    return row && toAsset(row);
  }

  /** Every asset once, in order of the ids by code unit. */
  *assets(): Generator<Asset> {
    const rows = this.#database
      .prepare<unknown[], RecordRow>(`${ASSET_COLUMNS} WHERE workspace = ? ORDER BY id`)
      .iterate(this.#number);
    for (const row of rows) yield toAsset(row);
  }

  get assetCount(): number {
    return this.#database
      .prepare<unknown[], number>("SELECT count(*) FROM assets WHERE workspace = ?")
      .pluck()
      .get(this.#number) as number;
  }

  fileBytes(sha256: string): Uint8Array | undefined {
    const bytes = this.#file.get(sha256);
    if (bytes !== undefined && hashOf(bytes) !== sha256) throw damaged(`the file ${sha256}`);
    return bytes;
  }

  get entryCount(): number {
    this.#entryCount ??= this.#index?.ids.length ?? this.#count.get(this.#number) ?? 0;
    return this.#entryCount;
  }

  *entryModels(): Generator<[id: string, modelId: string]> {
    const { ids, modelIds } = this.#readIndex();
    for (let at = 0; at < ids.length; at += 1) yield [ids[at] as string, modelIds[at] as string];
  }

  *entries(): Generator<Entry> {
    const { ids, modelIds } = this.#readIndex();
    let at = 0;
    for (const [data, check] of this.#allData.iterate(this.#number)) {
      const [id, modelId] = [ids[at], modelIds[at]];
      if (id === undefined || modelId === undefined) break;
      at += 1;
      yield toEntry(id, modelId, data, check);
    }
    if (at !== ids.length) throw damaged("the entries are not those of their index");
    this.#index = undefined;
  }

  #readIndex() {
    if (this.#index !== undefined) return this.#index;
    const index = { ids: [] as string[], modelIds: [] as string[] };
    for (const [id, modelId] of entryModelIds(this.#database, this.#number)) {
      index.ids.push(id);
      index.modelIds.push(modelId);
    }
    this.#index = index;
    return index;
  }
}

const ASSET_COLUMNS = "SELECT id, body, row_check FROM assets";

function toAsset({ id, body, row_check }: RecordRow): Asset {
  return parseChecked(row_check, "assets", id, id, body);
}

function toEntry(id: string, modelId: string, data: string, check: number): Entry {
  return { id, modelId, data: parseChecked(check, "entries", id, id, modelId, data) };
}

function readSettings(database: Database, number: number): Workspace {
  const row = database
    .prepare<unknown[], { id: string; settings: string; settings_check: number }>(
      "SELECT id, settings, settings_check FROM workspaces WHERE number = ?",
    )
    .get(number);
  if (row === undefined) throw damaged("a workspace is missing");
  return parseChecked(row.settings_check, "workspaces", row.id, row.id, row.settings);
}
