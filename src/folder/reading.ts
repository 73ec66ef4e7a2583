import { Faults } from "./faults.ts";
import { ListedNames } from "./listed-names.ts";
import { UnreadFiles } from "./unread-files.ts";

/** One run over a workspace folder. */
export interface Reading {
  /** Its absolute path. */
  readonly folder: string;
  readonly faults: Faults;
  readonly names: ListedNames;
  readonly unread: UnreadFiles;
}

export function openReading(folder: string): Reading {
  const [faults, names, unread] = [new Faults(), new ListedNames(folder), new UnreadFiles()];
  return { folder, faults, names, unread };
}
