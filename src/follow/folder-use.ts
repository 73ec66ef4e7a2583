import type { FolderChange } from "../folder/folder-change.ts";
import type { PostedError } from "../workspace/posted-error.ts";
import type { Counts } from "../workspace/records.ts";
import type { WatchedFolder } from "./watched-folder.ts";

/** The data that the thread starts with. */
export interface FollowTask {
  readonly folder: string;
  /** The store into which the folder is imported; undefined: it is only read. */
  readonly store?: string;
  /** Paths whose changes are ignored, such as the store's own files. */
  readonly except: readonly string[];
}

/** The draft that a folder has. */
export interface FolderState {
  readonly workspaceId: string;
  readonly counts: Counts;
  /** Since the state before, if it is only read; undefined: nothing. */
  readonly change?: FolderChange | undefined;
}

/** The result of one update, as the thread posts it. */
export type FollowOutcome =
  | FolderState
  | {
      readonly failure: PostedError;
      /** Whether there is a draft all the same; false if it failed before reading the store. */
      readonly hasDraft: boolean;
    };

/** Posted to the thread: import only into the store with this identity. */
export interface RequiredStore {
  readonly storeIdentity: string | undefined;
}

/** What the thread does with the folder after each change. */
export interface FolderUse {
  readonly hasDraft: boolean;
  /** Calls `take` or `renew` of the watched folder before it reads. */
  update(watched: WatchedFolder): FolderState | Promise<FolderState>;
}
