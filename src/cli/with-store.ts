import { existsSync, linkSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openStore, type Store } from "../store/store.ts";
import { storeError } from "../store/store-error.ts";
import { isRunning } from "../workspace/is-running.ts";

type Work<T> = (store: Store) => T | Promise<T>;

/** Runs `work` on an open store and closes it, whatever happens. */
export async function withStore<T>(file: string, work: Work<T>): Promise<T> {
  const store = openStore(file);
  try {
    return await work(store);
  } catch (error) {
    // What looks like a defect may be rows that the disk has spoiled.
    if (error instanceof TypeError || error instanceof RangeError) store.checkIntegrity();
    throw storeError(error, file);
  } finally {
    store.close();
  }
}

/**
 * The same, on a store that is made if there is none. It is made under another name and gets its
 * own when the work is done: a work that fails leaves nothing, and no store that another process
 * makes meanwhile is ever touched by that. If there is one by then, the work is done again on it.
 */
export async function withStoreMade<T>(file: string, work: Work<T>): Promise<T> {
  if (file.trim() !== file || file === "") return withStore(file, work);
  removeUnfinished(file);
  if (existsSync(file)) return withStore(file, work);
  const beside = besideStore(file);
  try {
    openStore(beside, { create: true }).close();
    const result = await withStore(beside, work);
    linkSync(beside, file);
    return result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    remove(beside);
  }
  return withStore(file, work);
}

/** The files that this process may make for a store, which come and go beside it. */
export function storeFiles(file: string): string[] {
  return [file, besideStore(file)].flatMap((path) => ENDS.map((end) => path + end));
}

function besideStore(file: string): string {
  return `${file}.${process.pid}.new`;
}

/** Removes what processes that were killed while they made a store left beside it. */
function removeUnfinished(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(file)}.`)) continue;
    const [beside, pid] = /^\.(\d+)\.new/.exec(name.slice(basename(file).length)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(folder, basename(file) + beside));
  }
}

const ENDS = ["", "-journal", "-wal", "-shm"];

/** A store's file, and what SQLite has beside it. */
function remove(file: string): void {
  for (const end of ENDS) rmSync(file + end, { force: true });
}
