import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { retryWhileOpen } from "../files/replace-file.ts";
import { SvcError } from "../workspace/errors.ts";
import { assertStoreName, PRIVATE } from "./open-database.ts";
import { openStore, type Store } from "./store.ts";
import { storeError } from "./store-error.ts";

type Work<T> = (store: Store) => T | Promise<T>;

/**
 * Runs `work` on a store and closes it. Errors of SQLite become SvcErrors.
 *
 * @param create create the store if it is missing. Work that fails then leaves no store.
 */
export function withStore<T>(file: string, work: Work<T>, { create = false } = {}): Promise<T> {
  return create ? createStore(file, work) : useStore(file, work);
}

async function useStore<T>(file: string, work: Work<T>): Promise<T> {
  const { store, close } = openReadable(file);
  try {
    return await work(store);
  } catch (error) {
    // Corrupted rows look like a defect of ours: check the file first.
    if (error instanceof TypeError || error instanceof RangeError) store.checkIntegrity();
    throw storeError(error, file);
  } finally {
    close();
  }
}

/**
 * R9c: a store that cannot be written is read in a copy, as it is now: SQLite makes files beside one that it
 * reads. What would write to it is refused.
 */
function openReadable(file: string): { store: Store; close: () => void } {
  const isReadable = isFileOf(file, constants.R_OK);
  // SQLite would open one that is read-only, and say so at the first write.
  if (!isReadable || isFileOf(file, constants.W_OK)) {
    try {
      const store = openStore(file);
      return { store, close: () => store.close() };
    } catch (error) {
      const isUnwritable = error instanceof SvcError && error.code === "store-unwritable";
      if (!isUnwritable || !isReadable) throw error;
    }
  }
  const folder = mkdtempSync(join(tmpdir(), "svc-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.db");
    for (const suffix of ["", "-wal"]) {
      if (!existsSync(file + suffix)) continue;
      copyFileSync(file + suffix, copy + suffix);
      chmodSync(copy + suffix, PRIVATE);
    }
    const store = openStore(file, { copy });
    const close = () => {
      store.close();
      remove();
    };
    return { store, close };
  } catch (error) {
    remove();
    throw error;
  }
}

/** @param access what this process may do with it. */
function isFileOf(file: string, access: number): boolean {
  try {
    accessSync(file, access);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Creates the store under a temporary name and gives it its own after `work`. If another process
 * has created one meanwhile, that one is kept, and `work` runs again on it.
 */
async function createStore<T>(file: string, work: Work<T>): Promise<T> {
  // Its temporary name would be one.
  assertStoreName(file);
  removeAbandoned(file);
  if (existsSync(file)) return useStore(await created(file), work);
  const temporary = temporaryStore(file);
  try {
    openStore(temporary, { create: true }).close();
    const result = await useStore(temporary, work);
    giveFreeName(temporary, file);
    return result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    removeStore(temporary);
  }
  return useStore(await created(file), work);
}

/**
 * Gives a file another name, which no file may have.
 *
 * @throws an error with the code `EEXIST`.
 */
function giveFreeName(file: string, name: string): void {
  try {
    linkSync(file, name);
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
  }
  // F8a: without hard links (exFAT, some shares) an empty file reserves the name.
  closeSync(openSync(name, "wx", PRIVATE));
  try {
    retryWhileOpen(() => renameSync(file, name));
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
}

/** Waits up to a second while another process has only reserved the name (F8a). */
async function created(file: string): Promise<string> {
  const isEmpty = () => statSync(file, { throwIfNoEntry: false })?.size === 0;
  for (let turn = 0; turn < 100 && isEmpty(); turn += 1) await setTimeout(10);
  return file;
}

/** The name of a store that this process makes, until it is complete. */
function temporaryStore(file: string): string {
  return `${file}.${process.pid}.new`;
}

/** Removes temporary stores of processes that were killed. */
function removeAbandoned(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) return;
  const store = basename(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${store}.`)) continue;
    const [suffix, pid] = /^\.(\d+)\.new/.exec(name.slice(store.length)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) removeStore(join(folder, store + suffix));
  }
}

/** A store's file and the files of SQLite beside it. */
const SUFFIXES = ["", "-journal", "-wal", "-shm"];

/** Removes a store with the files of SQLite beside it. */
function removeStore(file: string): void {
  for (const suffix of SUFFIXES) retryWhileOpen(() => rmSync(file + suffix, { force: true }));
}

/** Whether a process of this machine runs; true as well for one of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
