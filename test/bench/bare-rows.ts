import Database from "better-sqlite3";
import type { Project } from "../../src/workspace/records.ts";

export interface Field {
  readonly key: string;
  readonly type: string;
  readonly repeatable?: boolean;
  readonly localized?: boolean;
}
export interface Model {
  readonly id: string;
  readonly key: string;
  readonly fields: readonly Field[];
}
// biome-ignore lint/suspicious/noExplicitAny: stored data has any shape
export type Data = Record<string, any>;
/** The parsed rows of a store's draft. */
export interface BareRows {
  readonly projects: readonly Project[];
  /** By id, as all of these; their fields are sorted. */
  readonly models: ReadonlyMap<string, Model>;
  readonly blocks: ReadonlyMap<string, Model>;
  /** As served. */
  readonly assets: ReadonlyMap<string, Data>;
  /** The texts of the assets that the store holds. */
  readonly html: ReadonlyMap<string, string>;
  /** The model of each entry, by entry id. */
  readonly modelIds: ReadonlyMap<string, string>;
  /** Can be iterated once. */
  readonly entries: Iterable<{ id: string; modelId: string; data: Data }>;
}

/** Reads a store with minimal work. */
export function readRows(file: string): BareRows {
  const database = new Database(file, { readonly: true });
  return {
    ...readRecords(database),
    ...readAssets(database),
    modelIds: new Map(pairs(database, "SELECT id, model_id FROM entries")),
    entries: readEntries(database),
  };
}

function readRecords(
  database: Database.Database,
): Pick<BareRows, "projects" | "models" | "blocks"> {
  const projects: Project[] = [];
  const models = new Map<string, Model>();
  const blocks = new Map<string, Model>();
  for (const [kind, body] of pairs(database, "SELECT kind, body FROM records")) {
    const record = JSON.parse(body);
    if (kind === "projects") projects.push(record);
    else if (kind === "models" || kind === "blocks") {
      const fields = [...record.fields].sort((a, b) => (a.key < b.key ? -1 : 1));
      (kind === "models" ? models : blocks).set(record.id, { ...record, fields });
    }
  }
  return { projects, models, blocks };
}

function readAssets(database: Database.Database): Pick<BareRows, "assets" | "html"> {
  const assets = new Map<string, Data>();
  const html = new Map<string, string>();
  const held = database.prepare<[string], Buffer>("SELECT bytes FROM files WHERE sha256 = ?");
  for (const [id, body] of pairs(database, "SELECT id, body FROM assets")) {
    const { fileName, mimeType, sizeBytes, url, width, height, sha256 } = JSON.parse(body);
    // Only html fields serve texts that the store holds.
    if (sha256 !== undefined) html.set(id, `${held.pluck().get(sha256) ?? ""}`);
    const [high, wide] = mimeType?.startsWith("image/") ? [height, width] : [];
    const pixels = { height: high ?? null, id, mimeType, sizeBytes, url, width: wide ?? null };
    assets.set(id, { fileName, ...pixels });
  }
  return { assets, html };
}

function* readEntries(database: Database.Database): BareRows["entries"] {
  const rows = database.prepare<[], [string, string, string]>(
    "SELECT id, model_id, data FROM entries",
  );
  for (const [id, modelId, data] of rows.raw().iterate()) {
    yield { id, modelId, data: JSON.parse(data) };
  }
  database.close();
}

function pairs(database: Database.Database, sql: string): Iterable<[string, string]> {
  return database.prepare<[], [string, string]>(sql).raw().iterate();
}
