import type { Database, Statement } from "better-sqlite3";
import { sha256 as hashOf, isSha256 } from "../documents/version-id.ts";
import { fieldListFaults, idFaults, RecordRules } from "../records/record-rules.ts";
import { type ShapeFault, shapeFaults } from "../records/record-shapes.ts";
import { type Asset, fileNameFault } from "../workspace/asset.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import { isId } from "../workspace/ids.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nestsTooDeep,
} from "../workspace/json.ts";
import {
  type Block,
  type Feature,
  type Kind,
  type Model,
  type Project,
  type Publishing,
  singular,
  type Workspace,
} from "../workspace/records.ts";
import { parseChecked, parsed, rowCheck } from "./draft-rows.ts";
import { rowIn, valueIn } from "./query.ts";
import { damaged } from "./store-error.ts";

/** An entry's row: SQLite may give its number to another entry, but not with the same revision. */
interface StoredEntry extends EntryHead {
  readonly number: number;
  readonly revision: number;
}

type EntryRow = [
  number: number,
  id: string,
  modelId: string,
  revision: number,
  publishing: string,
  check: number,
  data: string | null,
];

interface KnownRecord {
  readonly revision: number;
  readonly record: unknown;
}

interface SettingsRow {
  readonly id: string;
  readonly settings: string;
  readonly settings_check: number;
  readonly revision: number;
}

/** The draft of one workspace. Use it within one transaction. */
export class StoredDraft implements Draft {
  readonly workspace: Workspace;
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly projects: readonly Project[];
  readonly entries: ReadonlyMap<string, StoredEntry>;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly revision: number;
  readonly #database: Database;
  readonly #number: number;
  readonly #data: Statement<unknown[], [string, string, number]>;
  readonly #file: Statement<unknown[], Uint8Array>;
  readonly #foreign: Statement<unknown[], number> | undefined;
  readonly #checks = new StoredRecords();
  /** The records and assets that were parsed, by kind and id. */
  readonly records: Map<string, KnownRecord> = new Map();

  /** @param earlier another state of the same draft: what did not change is not read again. */
  constructor(database: Database, number: number, earlier?: StoredDraft) {
    this.#database = database;
    this.#number = number;
    const sql = "SELECT id, settings, settings_check, revision FROM workspaces WHERE number = ?";
    const row = rowIn<SettingsRow>(database, sql, number);
    if (row === undefined) throw damaged("a workspace is missing");
    const settings = parseChecked(row.settings_check, "workspaces", row.id, row.id, row.settings);
    this.workspace = this.#checks.record("workspace", row.id, settings);
    this.revision = row.revision;
    this.models = this.#list("models", earlier);
    this.blocks = this.#list("blocks", earlier);
    this.features = this.#list("features", earlier);
    this.projects = this.#list("projects", earlier);
    this.#data = database
      .prepare<unknown[], [string, string, number]>(
        "SELECT publishing, data, row_check FROM entries WHERE number = ?",
      )
      .raw();
    this.entries = (earlier && this.#changed(earlier)) ?? this.#heads(earlier);
    this.assets = this.#assets(earlier);
    this.#file = database
      .prepare<unknown[], Uint8Array>("SELECT bytes FROM files WHERE sha256 = ?")
      .pluck();
    const others = database.prepare("SELECT 1 FROM workspaces WHERE number <> ? LIMIT 1");
    if (others.get(number) === undefined) return;
    this.#foreign = database
      .prepare<unknown[], number>("SELECT 1 FROM entries WHERE id = ? AND workspace <> ? LIMIT 1")
      .pluck();
  }

  dataOf(entry: EntryHead): JsonObject {
    const { id, modelId, number } = entry as StoredEntry;
    const row = this.#data.get(number);
    if (row === undefined) throw damaged(`the entry "${id}" is missing`);
    const [publishing, data, check] = row;
    return checkedData(id, parseChecked(check, "entries", id, id, modelId, publishing, data));
  }

  fileBytes(sha256: string): Uint8Array | undefined {
    const bytes = this.#file.get(sha256);
    if (bytes !== undefined && hashOf(bytes) !== sha256) throw damaged(`the file ${sha256}`);
    return bytes;
  }

  isForeignEntry(id: string): boolean {
    return this.#foreign?.get(id, this.#number) !== undefined;
  }

  #list<T extends { readonly id: string }>(
    kind: Exclude<Kind, "entries" | "assets">,
    earlier: StoredDraft | undefined,
  ): T[] {
    const rows = this.#database
      .prepare<unknown[], [id: string, revision: number, body: string, check: number]>(
        "SELECT id, revision, body, row_check FROM records WHERE workspace = ? AND kind = ?",
      )
      .raw()
      .iterate(this.#number, kind);
    const records = Array.from(rows, ([id, revision, body, check]) =>
      this.#parsed<T>(kind, id, revision, earlier, () =>
        parseChecked(check, kind, id, kind, id, body),
      ),
    );
    records.sort((a, b) => byCodeUnit(a.id, b.id));
    const before = (earlier?.[kind] ?? []) as readonly unknown[];
    const isSame = earlier && records.every((one, at) => one === before[at]);
    return isSame && records.length === before.length ? (before as T[]) : records;
  }

  #parsed<T>(
    kind: Exclude<Kind, "entries">,
    id: string,
    revision: number,
    earlier: StoredDraft | undefined,
    parse: () => JsonValue,
  ): T {
    const known = earlier?.records.get(`${kind} ${id}`);
    const isKnown = known?.revision === revision;
    const record = isKnown ? (known.record as T) : this.#checks.record<T>(kind, id, parse());
    this.records.set(`${kind} ${id}`, { revision, record });
    return record;
  }

  /** The entries after the changes since an earlier state; undefined: some were removed. */
  #changed(earlier: StoredDraft): Map<string, StoredEntry> | undefined {
    const changed = this.#heads(earlier, true);
    const sql = "SELECT count(*) FROM entries WHERE workspace = ?";
    const count = valueIn<number>(this.#database, sql, this.#number);
    return count === changed.size ? changed : undefined;
  }

  /** In order of their rows; with `onlyChanged` the earlier ones, and those written since. */
  #heads(earlier: StoredDraft | undefined, onlyChanged = false): Map<string, StoredEntry> {
    const rows = this.#database
      .prepare<unknown[], EntryRow>(
        `SELECT number, id, model_id, revision, publishing, row_check,
           CASE WHEN publishing <> '' THEN data END
         FROM entries ${onlyChanged ? "INDEXED BY entries_by_revision" : "NOT INDEXED"}
         WHERE workspace = ? AND revision > ? ORDER BY number`,
      )
      .raw()
      .iterate(this.#number, onlyChanged ? earlier?.revision : -1);
    const entries = new Map(onlyChanged ? earlier?.entries : []);
    for (const [number, id, modelId, revision, text, check, data] of rows) {
      const known = earlier?.entries.get(id);
      const isSame = known?.number === number && known.revision === revision;
      // Checked now, since a draft whose mark got lost would be published; `dataOf` checks the others.
      const isDamaged = data !== null && rowCheck(id, modelId, text, data) !== check;
      if (isDamaged) throw damaged(`"${id}" of the entries is not as it was written`);
      const says = data === null ? undefined : parsed("entries", id, text);
      const publishing = this.#checks.publishing(id, modelId, says);
      entries.set(id, isSame ? known : { id, modelId, publishing, number, revision });
    }
    return entries;
  }

  #assets(earlier: StoredDraft | undefined): Map<string, Asset> {
    const rows = this.#database
      .prepare<unknown[], [id: string, revision: number, body: string, check: number]>(
        "SELECT id, revision, body, row_check FROM assets WHERE workspace = ?",
      )
      .raw()
      .iterate(this.#number);
    const assets = new Map<string, Asset>();
    for (const [id, revision, body, check] of rows) {
      const parse = () => parseChecked(check, "assets", id, id, body);
      assets.set(id, this.#parsed("assets", id, revision, earlier, parse));
    }
    return assets;
  }
}

/**
 * R9b: checks that the rows of a draft hold records as svc writes them. Anyone may have made a store,
 * with sums that are right: ids and file names become paths, and renderers rely on shapes.
 */
class StoredRecords {
  readonly #rules = new RecordRules();

  /** @throws SvcError `store-damaged`. */
  record<T>(kind: Exclude<Kind, "entries"> | "workspace", id: string, record: JsonValue): T {
    if (!isJsonObject(record) || record.id !== id) throw wrong(kind, id, "it is not of its row");
    if (nestsTooDeep(record)) throw wrong(kind, id, "it is nested too deeply");
    const [fault] = this.#faults(kind, record);
    if (fault !== undefined) throw wrong(kind, id, fault.message);
    return record as T;
  }

  #faults(kind: Kind | "workspace", record: JsonObject): readonly ShapeFault[] {
    if (kind === "workspace") {
      const rules = () => [
        ...idFaults(record.id, ["id"]),
        ...fieldListFaults(record.fields, "workspace"),
      ];
      return [...shapeFaults(kind, record), ...rules()];
    }
    const shape = kind === "assets" ? assetFaults(record) : shapeFaults(kind, record);
    return [...shape, ...this.#rules.faults(kind, record)];
  }

  /**
   * What an entry says about whether it is published.
   *
   * @param says undefined: nothing.
   * @throws SvcError `store-damaged`.
   */
  publishing(id: string, modelId: string, says: JsonValue | undefined): Publishing | undefined {
    if (!isId(id)) throw wrong("entries", id, "it has no id");
    if (says === undefined) return undefined;
    if (!isJsonObject(says)) throw wrong("entries", id, "it is no object");
    const record = { ...says, id, modelId, data: {} };
    // An entry may be read again with the same draft; that ids differ is left to the table's index.
    const rules = new RecordRules();
    const [fault] = [...shapeFaults("entries", record), ...rules.faults("entries", record)];
    if (fault !== undefined) throw wrong("entries", id, fault.message);
    return says;
  }
}

/** The values of an entry. @throws SvcError `store-damaged`. */
function checkedData(id: string, data: JsonValue): JsonObject {
  if (isJsonObject(data) && !nestsTooDeep(data)) return data;
  throw wrong("entries", id, "its data are no object, or nested too deeply");
}

/** Unlike an authored asset, a stored one has what was measured. */
function assetFaults(asset: JsonObject): ShapeFault[] {
  const versions = asset.versions ?? [];
  const isOne = Array.isArray(versions) && [asset, ...versions].every(isFile);
  return isOne ? [] : [{ path: [], message: "a file of it is none" }];
}

function isFile(file: JsonValue): boolean {
  if (!isJsonObject(file)) return false;
  const { id, fileName, mimeType, title = "", description = "", url = "", sha256 } = file;
  // V4d.
  const inLocales = [title, description].flatMap((one) =>
    isJsonObject(one) ? Object.values(one) : one,
  );
  const texts = [id, fileName, mimeType, ...inLocales, url];
  const counts = [file.sizeBytes, file.width, file.height];
  return (
    texts.every((text) => typeof text === "string") &&
    counts.every((count) => count === null || (typeof count === "number" && count >= 0)) &&
    fileNameFault(fileName as string) === undefined &&
    /^(?:https?:\/\/.*)?$/is.test(url as string) &&
    (sha256 === undefined || isSha256(sha256))
  );
}

function wrong(kind: Kind | "workspace", id: string, fault: string) {
  const what = kind === "workspace" ? kind : singular(kind);
  return damaged(`the ${what} ${JSON.stringify(id)} is not as svc writes it: ${fault}`);
}
