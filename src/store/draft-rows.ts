import { crc32 } from "node:zlib";
import type { Database, Statement } from "better-sqlite3";
import { type JsonValue, parsedJson } from "../workspace/json.ts";
import { damaged } from "./store-error.ts";

/** A table of the draft. `identity`: the columns that identify a row within a workspace. */
interface Table {
  readonly name: "records" | "entries" | "assets";
  readonly identity: readonly string[];
  readonly content: readonly string[];
}

export const RECORDS: Table = { name: "records", identity: ["kind", "id"], content: ["body"] };
export const ENTRIES: Table = {
  name: "entries",
  identity: ["id"],
  content: ["model_id", "publishing", "data"],
};
export const ASSETS: Table = { name: "assets", identity: ["id"], content: ["body"] };

/** Replaces the rows of one table of a workspace's draft, and writes only those that differ. */
export class DraftRows {
  readonly #workspace: number;
  readonly #revision: number;
  readonly #put: Statement;
  readonly #count: Statement<unknown[], number>;
  readonly #all: Statement<unknown[], [number: number, ...identity: string[]]>;
  readonly #delete: Statement;
  readonly #identities = new Set<string>();

  /** @param revision the draft's revision for the rows that are written. */
  constructor(
    database: Database,
    { number: workspace, revision }: { readonly number: number; readonly revision: number },
    { name, identity, content }: Table,
  ) {
    this.#workspace = workspace;
    this.#revision = revision;
    const columns = [...identity, ...content, "row_check"];
    const changing = [...content, "row_check"];
    this.#put = database.prepare(
      `INSERT INTO ${name} (workspace, revision, ${columns.join(", ")})
       VALUES (?, ?, ${columns.map(() => "?").join(", ")})
       ON CONFLICT (${[...identity, "workspace"].join(", ")}) DO UPDATE SET revision = excluded.revision,
         ${changing.map((column) => `${column} = excluded.${column}`).join(", ")}
       WHERE ${changing.map((column) => `${name}.${column} <> excluded.${column}`).join(" OR ")}`,
    );
    this.#count = database
      .prepare<unknown[], number>(`SELECT count(*) FROM ${name} WHERE workspace = ?`)
      .pluck();
    this.#all = database
      .prepare<unknown[], [number, ...string[]]>(
        `SELECT number, ${identity.join(", ")} FROM ${name} WHERE workspace = ?`,
      )
      .raw();
    this.#delete = database.prepare(`DELETE FROM ${name} WHERE number = ?`);
  }

  /** Puts a row, at most once. Returns whether it is new or has changed. */
  put(identity: readonly string[], content: readonly string[]): boolean {
    this.#identities.add(identity.join(" "));
    const texts = [...identity, ...content];
    return this.#put.run(this.#workspace, this.#revision, ...texts, rowCheck(...texts)).changes > 0;
  }

  /** Deletes the rows that were not put. Returns whether there were any. */
  deleteOthers(): boolean {
    if (this.#count.get(this.#workspace) === this.#identities.size) return false;
    const others = this.#all
      .all(this.#workspace)
      .filter(([, ...identity]) => !this.#identities.has(identity.join(" ")));
    for (const [number] of others) this.#delete.run(number);
    return true;
  }
}

/**
 * CRC-32 of the texts of a row of the draft, its ids included. It detects damage by the disk, which
 * SQLite does not.
 */
export function rowCheck(...texts: readonly string[]): number {
  let crc = 0;
  for (const text of texts) crc = crc32(text, crc);
  return crc;
}

/**
 * Parses the last text of the row with this id.
 *
 * @throws SvcError `store-damaged` when the texts do not match the check, or are no JSON.
 */
export function parseChecked(
  check: number,
  table: string,
  id: string,
  ...texts: readonly string[]
): JsonValue {
  if (rowCheck(...texts) !== check) {
    throw damaged(`"${id}" of the ${table} is not as it was written`);
  }
  return parsed(table, id, texts.at(-1) as string);
}

/** @throws SvcError `store-damaged`. */
export function parsed(table: string, id: string, text: string): JsonValue {
  const value = parsedJson(text);
  if (value === undefined) throw damaged(`"${id}" of the ${table} is no JSON`);
  return value;
}
