import type { Database, Statement } from "better-sqlite3";
import type { DraftChanges, EntryLine } from "../workspace/draft.ts";
import type { JsonObject } from "../workspace/json.ts";
import { type Language, languageOf } from "../workspace/language.ts";
import type { Entry, Project, Publishing } from "../workspace/records.ts";
import { parseChecked, rowCheck } from "./row-check.ts";
import { damaged } from "./store-error.ts";

/** The columns of `toEntry`. */
export const ENTRY_COLUMNS = "id, model_id, publishing, data, row_check";

interface EntryRow {
  readonly id: string;
  readonly model_id: string;
  readonly publishing: string;
  readonly data: string;
  readonly row_check: number;
}

/** The changes of one workspace's draft. Use it within one transaction. */
export class StoredChanges implements DraftChanges {
  readonly entryRemoved: number;
  readonly assetChanged: number;
  readonly #database: Database;
  readonly #workspace: number;
  readonly #data: Statement<unknown[], [publishing: string, data: string, row_check: number]>;

  constructor(
    database: Database,
    workspace: number,
    changed: { entryRemoved: number; assetChanged: number },
  ) {
    this.entryRemoved = changed.entryRemoved;
    this.assetChanged = changed.assetChanged;
    this.#database = database;
    this.#workspace = workspace;
    this.#data = database
      .prepare<unknown[], [string, string, number]>(
        "SELECT publishing, data, row_check FROM entries WHERE number = ?",
      )
      .raw();
  }

  entriesSince(revision: number): Iterable<EntryLine> {
    return this.#database
      .prepare<unknown[], [number, string, string]>(
        `SELECT number, id, model_id FROM entries WHERE workspace = ? AND revision > ?
         ORDER BY revision, number`,
      )
      .raw()
      .iterate(this.#workspace, revision);
  }

  publishing(): Map<string, Publishing> {
    const rows = this.#database
      .prepare<unknown[], EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM entries WHERE workspace = ? AND publishing <> '' ORDER BY id`,
      )
      .iterate(this.#workspace);
    return new Map(Array.from(rows, (row) => [row.id, publishingOf(row)]));
  }

  entryNumbers(): number[] {
    return this.#database
      .prepare<unknown[], number>("SELECT number FROM entries WHERE workspace = ?")
      .pluck()
      .all(this.#workspace);
  }

  storedData(number: number, id: string, modelId: string): JsonObject {
    const row = this.#data.get(number);
    if (row === undefined) throw damaged(`the entry "${id}" is missing`);
    const [publishing, data, check] = row;
    return parseChecked(check, "entries", id, id, modelId, publishing, data);
  }

  languagesSince(revision: number): [string, Language][] {
    const rows = this.#database
      .prepare<unknown[], [id: string, locale: string | null, fallbacks: string | null]>(
        `SELECT id, body ->> '$.locale', body -> '$.fallbackLocales' FROM records
         WHERE workspace = ? AND kind = 'projects' AND revision > ?`,
      )
      .raw()
      .all(this.#workspace, revision);
    return rows.map(([id, locale, fallbacks]) => [
      id,
      languageOf({
        ...(locale !== null && { locale }),
        ...(fallbacks !== null && { fallbackLocales: JSON.parse(fallbacks) }),
      }),
    ]);
  }

  projectIds(): string[] {
    return this.#database
      .prepare<unknown[], string>(
        "SELECT id FROM records WHERE workspace = ? AND kind = 'projects' ORDER BY id",
      )
      .pluck()
      .all(this.#workspace);
  }

  projectsSince(revision: number): string[] {
    return this.#database
      .prepare<unknown[], string>(
        "SELECT id FROM records WHERE workspace = ? AND kind = 'projects' AND revision > ?",
      )
      .pluck()
      .all(this.#workspace, revision);
  }

  project(id: string): Project | undefined {
    const row = this.#database
      .prepare<unknown[], { body: string; row_check: number }>(
        "SELECT body, row_check FROM records WHERE workspace = ? AND kind = 'projects' AND id = ?",
      )
      .get(this.#workspace, id);
    return row && parseChecked(row.row_check, "projects", id, "projects", id, row.body);
  }

  assetRevisions(): Map<string, number> {
    return new Map(
      this.#database
        .prepare<unknown[], [string, number]>("SELECT id, revision FROM assets WHERE workspace = ?")
        .raw()
        .all(this.#workspace),
    );
  }

  foreignEntries(ids: readonly string[]): Set<string> {
    const others = this.#database
      .prepare("SELECT 1 FROM workspaces WHERE number <> ? LIMIT 1")
      .get(this.#workspace);
    if (others === undefined || ids.length === 0) return new Set();
    return new Set(
      this.#database
        .prepare<unknown[], string>(
          `SELECT value FROM json_each(?) WHERE EXISTS
           (SELECT 1 FROM entries WHERE id = value AND workspace <> ?)`,
        )
        .pluck()
        .all(JSON.stringify(ids), this.#workspace),
    );
  }
}

export function toEntry({ id, model_id: modelId, publishing, data, row_check }: EntryRow): Entry {
  const parsed = parseChecked<JsonObject>(
    row_check,
    ...["entries", id, id, modelId, publishing, data],
  );
  return { id, modelId, ...(publishing !== "" && JSON.parse(publishing)), data: parsed };
}

/** Checked with the rest of the row, since a draft whose mark got lost would be published. */
function publishingOf({ id, model_id, publishing, data, row_check }: EntryRow): Publishing {
  if (rowCheck(id, model_id, publishing, data) === row_check) return JSON.parse(publishing);
  throw damaged(`"${id}" of the entries is not as it was written`);
}
