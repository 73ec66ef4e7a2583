import { type FolderChange, isNothing } from "../folder/folder-change.ts";
import { countsOf, type FolderRecords } from "../folder/folder-draft.ts";
import { FolderReader } from "../folder/folder-reader.ts";
import type { FolderState, FolderUse } from "./folder-use.ts";
import type { WatchedFolder } from "./watched-folder.ts";

/** A workspace folder that is read, and what changes in it is posted. */
export class FolderInMemory implements FolderUse {
  readonly #reader: FolderReader;

  constructor(folder: string) {
    this.#reader = new FolderReader(folder);
  }

  get hasDraft(): boolean {
    return this.#reader.records !== undefined;
  }

  update(watched: WatchedFolder): FolderState {
    const change = this.#read(watched);
    const records = this.#reader.records as FolderRecords;
    const state = { workspaceId: records.workspace.id, counts: countsOf(records) };
    return isNothing(change) ? state : { ...state, change };
  }

  #read(watched: WatchedFolder): FolderChange {
    const paths = watched.take();
    const change = paths && this.#reader.readChanged(paths);
    if (change !== undefined) return change;
    watched.renew();
    return this.#reader.read();
  }
}
