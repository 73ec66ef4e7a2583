import type { Faults } from "./faults.ts";
import type { ListedNames } from "./listed-names.ts";
import type { UnreadFiles } from "./unread-files.ts";

/** One run over a workspace folder. */
export interface Reading {
  /** Its absolute path. */
  readonly folder: string;
  readonly faults: Faults;
  readonly names: ListedNames;
  readonly unread: UnreadFiles;
}
