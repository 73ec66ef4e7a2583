import { closeSync, existsSync, lstatSync, openSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Database from "better-sqlite3";
import { SvcError } from "../workspace/errors.ts";
import { withFileErrors } from "./file-errors.ts";
import { TEMPORARY } from "./folder.ts";
import { makeFolder, retryWhileOpen } from "./replace-file.ts";

/**
 * F4: the lock file of a folder: an empty SQLite database that is locked while files of the folder are
 * changed. The system releases the lock when the process ends in any way; a file left by a kill has no
 * effect.
 */
export const LOCK = ".svc-lock";

/** In milliseconds. */
const LOCK_TIMEOUT = 5000;

/**
 * Runs `work` with a folder locked; makes the folder if it is missing.
 *
 * @param within how long it waits for another process, in milliseconds.
 * @throws SvcError `out-locked` after that; `out-unwritable`, `out-obstructed`.
 */
export function withLock<T>(folder: string, work: () => T, within = LOCK_TIMEOUT): T {
  const path = resolve(folder, LOCK);
  const made = withFileErrors(dirname(path), () => makeFolder(dirname(path)));
  const lock = acquire(path, Date.now() + within);
  try {
    // Of a process that was killed.
    remove(resolve(folder, TEMPORARY));
    return work();
  } finally {
    // Removed while locked: a process that waits for it finds another inode and tries again.
    const isRemoved = remove(path);
    lock.close();
    // F8: Windows removes no open file, so one that another process has opened by now stays for it.
    if (!isRemoved) remove(path);
    if (made !== undefined) removeEmpty(dirname(path), made);
  }
}

/** Whether a process has the folder locked now. */
export function isLocked(folder: string): boolean {
  const path = resolve(folder, LOCK);
  let lock: Database.Database | undefined;
  try {
    if (!lstatSync(path).isFile()) return false;
    lock = new Database(path, { readonly: true, timeout: 0 });
    lock.pragma("schema_version");
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    lock?.close();
  }
}

function acquire(path: string, until: number): Database.Database {
  for (;;) {
    const before = withFileErrors(path, () => create(path));
    const lock = lockFile(path, Math.max(0, until - Date.now()));
    if (lock !== undefined && inode(path) === before) return lock;
    // The previous holder has removed the file, or even the folder.
    lock?.close();
  }
}

/** Makes the file if it is missing. Returns its inode. */
function create(path: string): bigint | undefined {
  makeFolder(dirname(path));
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    throw Object.assign(new Error("no file"), { code: "EISDIR" });
  }
  // A file that is being removed cannot be opened on Windows.
  closeSync(retryWhileOpen(() => openSync(path, "a")));
  return inode(path);
}

/** A file that is left has no effect. */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function inode(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Undefined when the file was removed meanwhile. */
function lockFile(path: string, timeout: number): Database.Database | undefined {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(path, { fileMustExist: true, timeout });
    // Nothing is ever written, so no journal file is needed.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    if (isBusy(error)) {
      throw new SvcError("out-locked", `another svc is writing "${dirname(path)}"`, {
        hint: "wait for it to finish, then try again",
        cause: error,
      });
    }
    if (!existsSync(path)) return undefined;
    throw new SvcError("out-unwritable", `cannot lock "${path}": ${(error as Error).message}`, {
      hint: `delete ${LOCK} if svc did not make it, or choose another folder`,
      cause: error,
    });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** Removes the folder and its parents up to `top`, until one is not empty. */
function removeEmpty(folder: string, top: string): void {
  try {
    for (let at = folder; at.length >= top.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // Not empty.
  }
}
