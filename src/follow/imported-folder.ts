import { readFolder } from "../folder/read-folder.ts";
import { checkIdentity } from "../store/store.ts";
import { withStore } from "../store/with-store.ts";
import type { FolderState, FolderUse, RequiredStore } from "./folder-use.ts";
import type { WatchedFolder } from "./watched-folder.ts";

/** A workspace folder that is imported into a store. */
export class ImportedFolder implements FolderUse {
  hasDraft = false;
  required: RequiredStore | undefined;
  readonly #folder: string;
  readonly #store: string;

  constructor(folder: string, store: string) {
    this.#folder = folder;
    this.#store = store;
  }

  async update(watched: WatchedFolder): Promise<FolderState> {
    watched.renew();
    this.hasDraft = false;
    if (this.required !== undefined) checkIdentity(this.#store, this.required.storeIdentity);
    const { workspaceId, counts } = await withStore(
      this.#store,
      (store) => {
        this.hasDraft = store.workspaces().length > 0;
        return store.import(readFolder(this.#folder), new Date());
      },
      { create: true },
    );
    return { workspaceId, counts };
  }
}
