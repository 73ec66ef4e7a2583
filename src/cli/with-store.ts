import { existsSync, rmSync } from "node:fs";
import { openStore, type Store } from "../store/store.ts";
import { storeError } from "../store/store-error.ts";

/**
 * Runs `work` on an open store and closes it, whatever happens. A store that was made for a work
 * that fails is removed again.
 */
export async function withStore<T>(
  file: string,
  options: { readonly create?: boolean },
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  const isNew = !existsSync(file);
  const store = openStore(file, options);
  try {
    const result = await work(store);
    store.close();
    return result;
  } catch (error) {
    store.close();
    if (isNew) for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    throw storeError(error, file);
  }
}
