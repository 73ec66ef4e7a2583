import { readFolder } from "../folder/read-folder.ts";
import { StoreSource } from "../publish/store-source.ts";
import type { Store } from "../store/store.ts";
import { withStore } from "../store/with-store.ts";
import { programFingerprint } from "./program/program-fingerprint.ts";

/** R11: runs `work` on the draft of a store, into which a folder that is named is imported first. */
export async function withStoredDraft<T>(
  { store: file, workspace }: { readonly store: string; readonly workspace?: string },
  folder: string | undefined,
  work: (source: StoreSource, program: string) => T | Promise<T>,
): Promise<T> {
  const imported = (store: Store, named: string) =>
    store.import(readFolder(named), new Date()).workspaceId;
  const id =
    folder === undefined
      ? workspace
      : await withStore(file, (store) => imported(store, folder), { create: true });
  return await withStore(file, (store) =>
    work(new StoreSource(store, store.workspace(id)), programFingerprint()),
  );
}
