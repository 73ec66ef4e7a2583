import type { HeldFile } from "../workspace/asset.ts";
import type { Problem } from "../workspace/problem.ts";
import type { EntryNumber } from "./entry-lookup.ts";

/** What a project comes to beside the entries that it shows: made again only when it may differ. */
export interface ProjectOutline {
  readonly id: string;
  /** In authored order. */
  readonly experiences: readonly {
    readonly id: string;
    /** E1: the entries behind its steps, in step order. */
    readonly content: readonly EntryNumber[];
  }[];
  /** The recipes of its config and its schema, JSON; undefined: texts are kept nowhere. */
  readonly config: string | undefined;
  readonly schema: string | undefined;
  readonly problems: readonly Problem[];
  /** The held files that its config shows. */
  readonly files: readonly HeldFile[];
  /** S4: why the schema refuses its field values, although our own checks found no error. */
  readonly unproven: string | undefined;
  /** What it was made from: entries, ids that no entry has, assets. */
  readonly entries: readonly EntryNumber[];
  readonly missing: readonly string[];
  readonly assets: readonly string[];
}
