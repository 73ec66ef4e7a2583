import { openStore, type Store } from "../store/store.ts";

/** Runs `work` on an open store and closes it, whatever happens. */
export async function withStore<T>(
  file: string,
  options: { readonly create?: boolean },
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  const store = openStore(file, options);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
