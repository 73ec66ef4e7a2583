import type { Database, Statement } from "better-sqlite3";
import { sha256 as hashOf } from "../documents/version-id.ts";
import type { Asset } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import type { Block, Entry, Feature, Model, Project, Workspace } from "../workspace/records.ts";
import { parseChecked } from "./row-check.ts";
import { damaged } from "./store-error.ts";

/** How many entries are read at a time when all are read. */
const PAGE = 500;

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

/** The draft of one workspace, as it stands in the store. Use it within one transaction. */
export class StoredDraft implements Draft {
  readonly workspace: Workspace;
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly projects: readonly Project[];
  readonly #number: number;
  readonly #entry: Statement<unknown[], EntryRow>;
  readonly #page: Statement<unknown[], EntryRow>;
  readonly #modelId: Statement<unknown[], string>;
  readonly #foreign: Statement<unknown[], number>;
  readonly #asset: Statement<unknown[], RecordRow>;
  readonly #file: Statement<unknown[], Uint8Array>;
  readonly #count: Statement<unknown[], number>;
  /** Each id with its model id, once all entries have been asked for; undefined before. */
  #modelIds: Map<string, string> | undefined;
  readonly #database: Database;

  constructor(database: Database, number: number) {
    this.#database = database;
    this.#number = number;
    this.workspace = readSettings(database, number);
    const records = database.prepare<unknown[], RecordRow>(
      "SELECT id, body, row_check FROM records WHERE workspace = ? AND kind = ? ORDER BY id",
    );
    const all = <T>(kind: string) =>
      records
        .all(number, kind)
        .map(({ id, body, row_check }) =>
          parseChecked<T>(row_check, `"${id}" of the ${kind}`, kind, id, body),
        );
    this.models = all("models");
    this.blocks = all("blocks");
    this.features = all("features");
    this.projects = all("projects");
    const columns = "SELECT id, model_id, data, row_check FROM entries";
    this.#entry = database.prepare(`${columns} WHERE workspace = ? AND id = ?`);
    this.#page = database.prepare(
      `${columns} WHERE workspace = ? AND id > ? ORDER BY id LIMIT ${PAGE}`,
    );
    this.#modelId = database
      .prepare<unknown[], string>("SELECT model_id FROM entries WHERE workspace = ? AND id = ?")
      .pluck();
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
    return row && toEntry(row);
  }

  entryModelId(id: string): string | undefined {
    if (this.#modelIds !== undefined) return this.#modelIds.get(id);
    return this.#modelId.get(this.#number, id);
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
    return this.#count.get(this.#number) ?? 0;
  }

  /** Read by pages, so that other statements may run in between. */
  *entries(): Generator<Entry> {
    this.#modelIds ??= this.#readModelIds();
    for (let after = ""; ; ) {
      const rows = this.#page.all(this.#number, after);
      for (const row of rows) yield toEntry(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      after = last.id;
    }
  }

  #readModelIds(): Map<string, string> {
    const rows = this.#database
      .prepare<unknown[], [string, string]>("SELECT id, model_id FROM entries WHERE workspace = ?")
      .raw()
      .iterate(this.#number);
    const names = new Map<string, string>();
    const modelIds = new Map<string, string>();
    for (const [id, modelId] of rows) {
      const name = names.get(modelId) ?? modelId;
      names.set(name, name);
      modelIds.set(id, name);
    }
    return modelIds;
  }
}

const ASSET_COLUMNS = "SELECT id, body, row_check FROM assets";

function toAsset({ id, body, row_check }: RecordRow): Asset {
  return parseChecked(row_check, `the asset "${id}"`, id, body);
}

function toEntry({ id, model_id, data, row_check }: EntryRow): Entry {
  const what = `the entry "${id}"`;
  return { id, modelId: model_id, data: parseChecked(row_check, what, id, model_id, data) };
}

function readSettings(database: Database, number: number): Workspace {
  const row = database
    .prepare<unknown[], { id: string; settings: string; settings_check: number }>(
      "SELECT id, settings, settings_check FROM workspaces WHERE number = ?",
    )
    .get(number);
  if (row === undefined) throw damaged("a workspace is missing");
  return parseChecked(row.settings_check, `the workspace "${row.id}"`, row.id, row.settings);
}
