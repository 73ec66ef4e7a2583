import type { ChangedValue } from "./changes.ts";
import type { StoredChange } from "./stored-changes.ts";

/** A file as it was once. */
export interface FileVersion {
  /** The hash of its bytes in Git. */
  readonly blob: string;
  /** Its path then, below the folder. */
  readonly file: string;
}

/** H76: what somebody made of an entry. */
export interface EntryVersion extends FileVersion {
  readonly commit: string;
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  readonly message: string;
  readonly change: StoredChange["change"];
  /** The names of those that changed. */
  readonly fields: readonly string[];
}

/** Newest first. */
export interface EntryHistory {
  readonly versions: readonly EntryVersion[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
  /** What is not saved for the team yet: the fields that differ from the newest. */
  readonly unsaved: readonly string[];
}

/** Two versions of an entry. */
export interface ComparedVersions {
  readonly values: readonly ChangedValue[];
}

/** H77: how the folder stands in its repository. */
export interface TeamState {
  /** Null: none is checked out. */
  readonly branch: string | null;
  /** "origin/main"; null: nobody else gets what is saved. */
  readonly upstream: string | null;
  /** How many files of the workspace are not saved for the team. */
  readonly changed: number;
  /** How many commits nobody else has, and how many of others are not here, as of the last fetch. */
  readonly ahead: number;
  readonly behind: number;
  /** Why nothing can be saved. */
  readonly problem: string | null;
}

/** H78: a record that saving would send. */
export interface SavedRecord {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly modelName: string | null;
  readonly change: StoredChange["change"];
  readonly fields: readonly string[];
}

/** H78: what is not saved for the team. */
export interface SavePlan {
  readonly state: TeamState;
  readonly records: readonly SavedRecord[];
  /** Proposed as the words of the commit. */
  readonly sentence: string;
}

/** H79a: a value that both sides changed. */
export interface TeamConflict {
  readonly key: string;
  readonly title: string;
  /** Before: theirs, after: mine. */
  readonly value: ChangedValue;
}

/** H78, H79: what became of it. */
export interface Saved {
  /** Whether this call made a commit. */
  readonly isCommitted: boolean;
  /** How many commits of others came. */
  readonly received: number;
  /** Whether others can get it now. */
  readonly isSent: boolean;
  /** To be decided first; nothing was merged, nothing sent. */
  readonly conflicts: readonly TeamConflict[];
}

/** H78: it may take longer than an answer. */
export type Saving = Saved | { readonly isRunning: true };

export type TeamAnswer =
  | EntryHistory
  | ComparedVersions
  | SavePlan
  | Saving
  /** Null: the folder is in no repository. */
  | { readonly state: TeamState | null };
