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

export type TeamAnswer = EntryHistory | ComparedVersions;
