import type { Database, Statement } from "better-sqlite3";
import { rowCheck } from "./row-check.ts";

/** A table of the draft: its columns after `workspace`, of which the first ones identify a row. */
interface Table {
  readonly name: "records" | "entries" | "assets";
  readonly identity: readonly string[];
  readonly content: readonly string[];
}

export const RECORDS: Table = { name: "records", identity: ["kind", "id"], content: ["body"] };
export const ENTRIES: Table = { name: "entries", identity: ["id"], content: ["model_id", "data"] };
export const ASSETS: Table = { name: "assets", identity: ["id"], content: ["body"] };

export type RowChange = "same" | "added" | "changed";

/**
 * Brings the rows of one table of a workspace's draft to what they are to be, row by row, then
 * without those that were not put. What is as it was is not written.
 */
export class DraftRows {
  readonly #workspace: number;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  /** The identities of the rows that have not been put, their parts between spaces (I1). */
  readonly #left: Set<string> | Map<string, unknown>;

  /** @param left the identities of the rows that there are, when the caller has read them. */
  constructor(
    database: Database,
    workspace: number,
    { name, identity, content }: Table,
    left?: Map<string, unknown>,
  ) {
    this.#workspace = workspace;
    const columns = ["workspace", ...identity, ...content, "row_check"];
    const marks = columns.map(() => "?").join(", ");
    const where = ["workspace", ...identity].map((column) => `${column} = ?`).join(" AND ");
    const checked = [...content, "row_check"];
    this.#insert = database.prepare(
      `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${marks})`,
    );
    this.#update = database.prepare(
      `UPDATE ${name} SET ${checked.map((column) => `${column} = ?`).join(", ")} WHERE ${where}
       AND NOT (${checked.map((column) => `${column} = ?`).join(" AND ")})`,
    );
    this.#delete = database.prepare(`DELETE FROM ${name} WHERE ${where}`);
    const ids = database
      .prepare<unknown[], string>(
        `SELECT ${identity.join(" || ' ' || ")} FROM ${name} WHERE workspace = ?`,
      )
      .pluck();
    this.#left = left ?? new Set(ids.iterate(workspace));
  }

  /** Puts a row, which must not have been put before. */
  put(identity: readonly string[], content: readonly string[]): RowChange {
    const check = rowCheck(...identity, ...content);
    if (!this.#left.delete(identity.join(" "))) {
      this.#insert.run(this.#workspace, ...identity, ...content, check);
      return "added";
    }
    const { changes } = this.#update.run(
      ...[...content, check],
      ...[this.#workspace, ...identity],
      ...[...content, check],
    );
    return changes === 0 ? "same" : "changed";
  }

  /** Deletes the rows that were not put. Returns how many. */
  deleteOthers(): number {
    const count = this.#left.size;
    for (const identity of this.#left.keys())
      this.#delete.run(this.#workspace, ...identity.split(" "));
    this.#left.clear();
    return count;
  }
}
