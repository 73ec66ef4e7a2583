import { existsSync, rmSync } from "node:fs";
import { openStore, type Store } from "../store/store.ts";
import { storeError } from "../store/store-error.ts";

/**
 * Runs `work` on an open store and closes it, whatever happens. A store that was made for a work
 * that fails is removed again, unless there is something in it by then.
 */
export async function withStore<T>(
  file: string,
  options: { readonly create?: boolean },
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  const isNew = !existsSync(file);
  const store = openStore(file, options);
  let isUseless = false;
  try {
    return await work(store);
  } catch (error) {
    isUseless = isNew && store.workspaces().length === 0;
    throw storeError(error, file);
  } finally {
    store.close();
    if (isUseless) for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  }
}
