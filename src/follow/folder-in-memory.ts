import { changeBetween } from "../folder/folder-change.ts";
import { countsOf, type FolderRecords } from "../folder/folder-draft.ts";
import { FolderReader } from "../folder/folder-reader.ts";
import type { FolderState, FolderUse } from "./folder-use.ts";
import type { WatchedFolder } from "./watched-folder.ts";

/** A workspace folder that is held in memory, whose changes are posted. */
export class FolderInMemory implements FolderUse {
  readonly #reader: FolderReader;
  /** As it was posted last. */
  #records: FolderRecords | undefined;

  constructor(folder: string) {
    this.#reader = new FolderReader(folder);
  }

  get hasDraft(): boolean {
    return this.#records !== undefined;
  }

  update(watched: WatchedFolder): FolderState {
    const records = this.#read(watched);
    const change = changeBetween(this.#records, records);
    this.#records = records;
    return { workspaceId: records.workspace.id, counts: countsOf(records), change };
  }

  #read(watched: WatchedFolder): FolderRecords {
    const paths = watched.take();
    const records = paths && this.#reader.readChanged(paths);
    if (records !== undefined) return records;
    watched.renew();
    return this.#reader.read();
  }
}
