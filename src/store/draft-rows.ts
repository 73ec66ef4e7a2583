import type { Database, Statement } from "better-sqlite3";
import { rowCheck } from "./row-check.ts";

/** A table of the draft. `identity`: the columns that identify a row within a workspace. */
interface Table {
  readonly name: "records" | "entries" | "assets";
  readonly identity: readonly string[];
  readonly content: readonly string[];
}

export const RECORDS: Table = { name: "records", identity: ["kind", "id"], content: ["body"] };
export const ENTRIES: Table = {
  ...{ name: "entries", identity: ["id"], content: ["model_id", "publishing", "data"] },
};
export const ASSETS: Table = { name: "assets", identity: ["id"], content: ["body"] };

/**
 * Replaces the rows of one table of a workspace's draft, and writes only those that differ.
 *
 * Rows mostly come in the order of the last import, which is that of their numbers: the next row by
 * number is compared first, and only if it differs is the row looked up by its identity.
 */
export class DraftRows {
  readonly #workspace: number;
  readonly #revision: number;
  readonly #isSame: Statement<unknown[], number>;
  readonly #find: Statement<unknown[], number>;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  /** Of the rows before, ascending. Those from `#next` on were not put yet. */
  readonly #numbers: Float64Array;
  #next = 0;
  /** Those before `#next` that were not put yet. */
  readonly #skipped = new Set<number>();

  /** @param revision the draft's revision for the rows that are written. */
  constructor(
    database: Database,
    { number: workspace, revision }: { readonly number: number; readonly revision: number },
    { name, identity, content }: Table,
  ) {
    this.#workspace = workspace;
    this.#revision = revision;
    const columns = [...identity, ...content, "row_check"];
    const equal = (names: readonly string[]) => names.map((column) => `${column} = ?`);
    const ofIdentity = equal(["workspace", ...identity]).join(" AND ");
    this.#isSame = database
      .prepare<unknown[], number>(
        `SELECT 1 FROM ${name} WHERE number = ? AND ${equal(columns).join(" AND ")}`,
      )
      .pluck();
    this.#find = database
      .prepare<unknown[], number>(`SELECT number FROM ${name} WHERE ${ofIdentity}`)
      .pluck();
    this.#insert = database.prepare(
      `INSERT INTO ${name} (workspace, revision, ${columns.join(", ")})
       VALUES (?, ?, ${columns.map(() => "?").join(", ")})`,
    );
    this.#update = database.prepare(
      `UPDATE ${name} SET revision = ?, ${equal(columns).join(", ")} WHERE number = ?`,
    );
    this.#delete = database.prepare(`DELETE FROM ${name} WHERE number = ?`);
    const numbers = database
      .prepare<unknown[], number>(`SELECT number FROM ${name} WHERE workspace = ?`)
      .pluck();
    this.#numbers = Float64Array.from(numbers.all(workspace)).sort();
  }

  /** Puts a row, at most once. Returns whether it is new or has changed. */
  put(identity: readonly string[], content: readonly string[]): boolean {
    const texts = [...identity, ...content];
    const row = [...texts, rowCheck(...texts)];
    const next = this.#numbers[this.#next];
    if (next !== undefined && this.#isSame.get(next, ...row) !== undefined) {
      this.#next += 1;
      return false;
    }
    const number = this.#take(identity);
    if (number === undefined) {
      this.#insert.run(this.#workspace, this.#revision, ...row);
      return true;
    }
    if (this.#isSame.get(number, ...row) !== undefined) return false;
    this.#update.run(this.#revision, ...row, number);
    return true;
  }

  /** Deletes the rows that were not put. Returns whether there were any. */
  deleteOthers(): boolean {
    const others = [...this.#skipped, ...this.#numbers.subarray(this.#next)];
    for (const number of others) this.#delete.run(number);
    return others.length > 0;
  }

  /** The number of the row with this identity, if it existed and was not put yet. */
  #take(identity: readonly string[]): number | undefined {
    if (this.#next === this.#numbers.length && this.#skipped.size === 0) return undefined;
    const number = this.#find.get(this.#workspace, ...identity);
    if (number === undefined || this.#skipped.delete(number)) return number;
    let next = this.#numbers[this.#next];
    while (next !== undefined && next < number) {
      this.#skipped.add(next);
      this.#next += 1;
      next = this.#numbers[this.#next];
    }
    // It was put already: inserting it again violates the unique index.
    if (next !== number) return undefined;
    this.#next += 1;
    return number;
  }
}
