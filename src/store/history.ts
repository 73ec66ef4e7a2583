import type { Database } from "better-sqlite3";
import type { Hold } from "../workspace/hold.ts";
import { rowsIn, valueIn } from "./query.ts";

/** Why a version became current (R7). */
export type JournalAction = "publish" | "republish" | "rollback";

export interface ListedVersion {
  readonly versionId: string;
  /** Of its last publish. RFC 3339, UTC. */
  readonly publishedAt: string;
  /** A5a: the reading of the clock that decided which entries it has; null: not known. */
  readonly clock: string | null;
}

/** A change of the current version. */
export interface JournalEntry {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly action: JournalAction;
  /** Null: nothing was published before. */
  readonly from: string | null;
  readonly to: string;
}

/** SQL for the next number in the order of publishing. */
export const NEXT_SEQUENCE =
  "(SELECT coalesce(max(sequence), 0) + 1 FROM versions WHERE workspace = :workspace)";

/** The versions of a workspace, the current one, and the journal of its changes. */
export class History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The id of the current version; undefined: nothing is published. */
  current(workspace: number): string | undefined {
    const sql = "SELECT current_version FROM workspaces WHERE number = ?";
    return valueIn<string | null>(this.#database, sql, workspace) ?? undefined;
  }

  /** Makes a stored version the current one, and records that in the journal. */
  makeCurrent(workspace: number, versionId: string, action: JournalAction, at: Date): void {
    const from = this.current(workspace) ?? null;
    this.#database
      .prepare("UPDATE workspaces SET current_version = ? WHERE number = ?")
      .run(versionId, workspace);
    this.#database
      .prepare(
        `INSERT INTO journal (workspace, at, action, from_version, to_version)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(workspace, at.toISOString(), action, from, versionId);
    if (action !== "republish") return;
    this.#database
      .prepare(
        `UPDATE versions SET published_at = :at, sequence = ${NEXT_SEQUENCE}
         WHERE workspace = :workspace AND id = :versionId`,
      )
      .run({ workspace, versionId, at: at.toISOString() });
  }

  /** A5a: the reading of the clock of a version; null: not known. RFC 3339, UTC. */
  clock(workspace: number, versionId: string): string | null {
    const sql = "SELECT clock FROM versions WHERE workspace = ? AND id = ?";
    return valueIn<string | null>(this.#database, sql, workspace, versionId) ?? null;
  }

  setClock(workspace: number, versionId: string, clock: string): void {
    this.#database
      .prepare("UPDATE versions SET clock = ? WHERE workspace = ? AND id = ?")
      .run(clock, workspace, versionId);
  }

  /** All stored versions, the one published last first. */
  list(workspace: number): ListedVersion[] {
    const sql = `SELECT id AS versionId, published_at AS publishedAt, clock FROM versions
      WHERE workspace = ? ORDER BY sequence DESC`;
    return rowsIn(this.#database, sql, workspace);
  }

  /** Newest first. */
  journal(workspace: number): JournalEntry[] {
    const sql = `SELECT at, action, from_version AS "from", to_version AS "to" FROM journal
      WHERE workspace = ? ORDER BY number DESC`;
    return rowsIn(this.#database, sql, workspace);
  }

  /** R6a. */
  hold(workspace: number): Hold | undefined {
    const sql = 'SELECT at, actor AS "by", reason FROM holds WHERE workspace = ?';
    return rowsIn<Hold>(this.#database, sql, workspace)[0];
  }

  /** Begins a hold, or changes it; undefined ends it. */
  setHold(workspace: number, hold: Hold | undefined): void {
    this.#database.prepare("DELETE FROM holds WHERE workspace = ?").run(workspace);
    if (hold === undefined) return;
    this.#database
      .prepare("INSERT INTO holds (workspace, at, actor, reason) VALUES (?, ?, ?, ?)")
      .run(workspace, hold.at, hold.by, hold.reason);
  }

  /**
   * R8: deletes all versions but the current one and those that were current last, `keep` in all, and
   * the documents and files that are no longer used. Returns the ids of the deleted versions.
   *
   * @param keep Infinity keeps all.
   */
  prune(workspace: number, keep: number): string[] {
    if (keep === Number.POSITIVE_INFINITY) return [];
    const pruned = rowsIn<{ number: number; id: string }>(
      this.#database,
      `SELECT number, id FROM versions WHERE workspace = :workspace
       ORDER BY id = (SELECT current_version FROM workspaces WHERE workspaces.number = :workspace) DESC,
         (SELECT coalesce(max(journal.number), 0) FROM journal
          WHERE journal.workspace = :workspace AND id IN (from_version, to_version)) DESC,
         sequence DESC
       LIMIT -1 OFFSET :keep`,
      { workspace, keep },
    );
    if (pruned.length === 0) return [];
    const used = this.#database
      .prepare<unknown[], number>("SELECT document FROM version_documents WHERE version = ?")
      .pluck();
    const candidates = new Set(pruned.flatMap(({ number }) => used.all(number)));
    for (const where of [
      "version_documents WHERE version = ?",
      "version_files WHERE version = ?",
      "versions WHERE number = ?",
    ]) {
      const remove = this.#database.prepare(`DELETE FROM ${where}`);
      for (const { number } of pruned) remove.run(number);
    }
    const isUsed = this.#database
      .prepare<unknown[], number>("SELECT 1 FROM version_documents WHERE document = ? LIMIT 1")
      .pluck();
    const remove = this.#database.prepare("DELETE FROM documents WHERE number = ?");
    for (const number of candidates) if (isUsed.get(number) === undefined) remove.run(number);
    deleteUnusedFiles(this.#database);
    return pruned.map(({ id }) => id);
  }
}

/** Deletes the bytes of assets that no draft and no version uses. */
export function deleteUnusedFiles(database: Database): void {
  // The subquery reads only the index of the hashes, not the bytes.
  database.exec(
    `DELETE FROM files WHERE sha256 IN (
       SELECT sha256 FROM files
       WHERE NOT EXISTS (SELECT 1 FROM draft_files WHERE draft_files.sha256 = files.sha256)
       AND NOT EXISTS (SELECT 1 FROM version_files WHERE version_files.sha256 = files.sha256)
     )`,
  );
}
