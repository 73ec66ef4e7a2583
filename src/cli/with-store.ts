import { existsSync, linkSync, rmSync } from "node:fs";
import { openStore, type Store } from "../store/store.ts";
import { storeError } from "../store/store-error.ts";

type Work<T> = (store: Store) => T | Promise<T>;

/** Runs `work` on an open store and closes it, whatever happens. */
export async function withStore<T>(file: string, work: Work<T>): Promise<T> {
  const store = openStore(file);
  try {
    return await work(store);
  } catch (error) {
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
  if (existsSync(file) || file.trim() !== file || file === "") return withStore(file, work);
  const beside = `${file}.${process.pid}.new`;
  try {
    openStore(beside, { create: true }).close();
    const result = await withStore(beside, work);
    linkSync(beside, file);
    return result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(beside + end, { force: true });
  }
  return withStore(file, work);
}
