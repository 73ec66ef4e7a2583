import { createHash } from "node:crypto";
import { chmodSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { retryWhileOpen } from "../files/replace-file.ts";
import { BUSY_TIMEOUT, openDatabase, PRIVATE } from "./open-database.ts";
import { damaged, storeError } from "./store-error.ts";

/**
 * R13: copies one state of a store, which others may be using, into a file that does not exist. The
 * copy has nothing of what was deleted.
 *
 * @returns the content hash of the copy.
 * @throws SvcError `store-damaged`, and those of `openDatabase`.
 */
export function copyStore(file: string, copy: string): string {
  withDatabase(file, (database) => {
    assertIntact(database);
    writeFileSync(copy, "", { flag: "wx", mode: PRIVATE });
    database.prepare("VACUUM INTO ?").run(copy);
  });
  return contentHash(copy);
}

/** @throws SvcError those of `openDatabase`. */
export function contentHash(file: string): string {
  return withDatabase(file, hashOfContent);
}

/**
 * Checks that a file is a complete store, and empties its cache: who made it could have made a publish
 * of other content follow (R14b). Returns its content hash.
 *
 * @throws SvcError `store-damaged`, and those of `openDatabase`.
 */
export function checkStore(file: string): string {
  return withDatabase(file, (database) => {
    assertIntact(database);
    database.exec("DELETE FROM outcomes");
    return hashOfContent(database);
  });
}

/**
 * R14: replaces a store by another file, in one step and while no other process uses it: one that opens it
 * meanwhile waits, and then cannot write to the old file any more.
 *
 * @param check gets the store's content hash, and may throw: then nothing is replaced.
 * @throws SvcError `store-locked`, and those of `openDatabase`.
 */
export async function replaceStore(
  file: string,
  by: string,
  check: (hash: string) => void,
): Promise<void> {
  const database = openDatabase(file, false);
  try {
    await lock(database);
    check(hashOfContent(database));
    const path = realpathSync(file);
    chmodSync(by, statSync(path).mode);
    // F8: Windows renames no file over an open one.
    if (process.platform === "win32") database.close();
    retryWhileOpen(() => renameSync(by, path));
  } catch (error) {
    throw storeError(error, file);
  } finally {
    database.close();
  }
}

/** Locks a store for all other connections; SQLite itself does not wait for those that have it open. */
async function lock(database: Database): Promise<void> {
  database.pragma("locking_mode = EXCLUSIVE");
  for (let waited = 0; ; waited += TURN) {
    try {
      // Leaves nothing beside the file that SQLite would apply to the new one.
      database.pragma("journal_mode = MEMORY");
      return;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== "SQLITE_BUSY" || waited >= BUSY_TIMEOUT) throw error;
    }
    await setTimeout(TURN);
  }
}

/** In milliseconds. */
const TURN = 100;

function withDatabase<T>(file: string, work: (database: Database) => T): T {
  const database = openDatabase(file, false);
  try {
    return work(database);
  } catch (error) {
    throw storeError(error, file);
  } finally {
    database.close();
  }
}

function assertIntact(database: Database): void {
  const found = database.pragma("quick_check(1)", { simple: true });
  if (found !== "ok") throw damaged(String(found));
}

/** All that a store holds, but for caches; bytes by their checks, hashes and version ids. */
const CONTENT = [
  "SELECT number, id, settings, current_version FROM workspaces ORDER BY number",
  "SELECT workspace, kind, id, row_check FROM records ORDER BY number",
  "SELECT workspace, id, row_check FROM entries ORDER BY number",
  "SELECT workspace, id, row_check FROM assets ORDER BY number",
  "SELECT workspace, path, sha256 FROM draft_files ORDER BY workspace, path",
  "SELECT number, workspace, id, published_at, sequence, file_count, clock FROM versions ORDER BY number",
  "SELECT * FROM journal ORDER BY number",
  "SELECT * FROM holds ORDER BY workspace",
  "SELECT * FROM tokens ORDER BY id",
];

/** A hash that changes when a draft, a version, the journal, a hold or a token changes, not when caches do. */
function hashOfContent(database: Database): string {
  const hash = createHash("sha256");
  const read = database.transaction(() => {
    for (const sql of CONTENT) {
      for (const row of database.prepare(sql).raw().iterate()) hash.update(JSON.stringify(row));
      hash.update("\n");
    }
  });
  read.deferred();
  return hash.digest("hex");
}
