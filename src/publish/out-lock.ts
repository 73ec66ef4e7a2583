import { closeSync, existsSync, lstatSync, openSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Database from "better-sqlite3";
import { SvcError } from "../workspace/errors.ts";
import { guard } from "./guard.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * The file in `out/` whose lock is held by whoever changes `out/`. The lock is SQLite's own, on an
 * empty database: the system gives it free when its holder ends, however that ends. The file is
 * there only while it is held, or after a kill, when it means nothing.
 */
export const LOCK = ".svc-lock";

/** How long a command waits for another that changes the same folder, in milliseconds. */
const WAIT = 5000;

/**
 * Runs `work` while no other process changes `out`, which is made if it is missing.
 *
 * @throws SvcError `out-locked` when another process holds it for long; `out-unwritable`,
 *   `out-obstructed` when nothing can be written there.
 */
export function withOutLock<T>(out: string, work: () => T): T {
  const path = resolve(out, LOCK);
  const { lock, made } = acquire(path, Date.now() + WAIT);
  try {
    return work();
  } finally {
    try {
      // Removed while it is held: whoever waits for it sees then that it holds a file of the past.
      rmSync(path, { force: true });
    } finally {
      lock.close();
    }
    if (made !== undefined) removeEmpty(dirname(path), made);
  }
}

/** Whether another process changes `out` at this moment. */
export function isLocked(out: string): boolean {
  const path = resolve(out, LOCK);
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

/** `made`: the topmost folder that had to be made. */
function acquire(path: string, until: number): { lock: Database.Database; made?: string } {
  const out = dirname(path);
  const made = guard(out, () => makeFolder(out));
  for (;;) {
    const before = guard(path, () => create(path));
    const lock = lockFile(path, Math.max(0, until - Date.now()));
    if (lock !== undefined && inode(path) === before) {
      return made === undefined ? { lock } : { lock, made };
    }
    // Another process was done, and took the file or even the folder away.
    lock?.close();
  }
}

/** Makes the file if it is missing, and tells which one it is. */
function create(path: string): bigint | undefined {
  makeFolder(dirname(path));
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    throw Object.assign(new Error("no file"), { code: "EISDIR" });
  }
  closeSync(openSync(path, "a"));
  return inode(path);
}

function inode(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Undefined when the file is not there any more. */
function lockFile(path: string, timeout: number): Database.Database | undefined {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(path, { fileMustExist: true, timeout });
    // Without a file of its own for a journal: nothing is ever written.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    if (isBusy(error)) {
      throw new SvcError("out-locked", `another svc is writing "${dirname(path)}"`, {
        hint: "wait until it is done, then try again",
        cause: error,
      });
    }
    if (!existsSync(path)) return undefined;
    throw new SvcError("out-unwritable", `cannot lock "${path}": ${(error as Error).message}`, {
      hint: `delete ${LOCK} if it is not svc's own, or choose another folder with --out`,
      cause: error,
    });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** Removes the folder and those above it up to `top`, as far as they are empty. */
function removeEmpty(folder: string, top: string): void {
  try {
    for (let at = folder; at.length >= top.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // Not empty: in use.
  }
}
