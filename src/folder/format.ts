import type { SourceItem } from "../workspace/source.ts";
import type { Dropped } from "./relax.ts";

/** How an export of another system is read. */
export interface FormatOptions {
  /** Of the system's locales; undefined: its default. */
  readonly locale: string | undefined;
  /** Types whose entries become experiences; undefined: entries that no other points at. */
  readonly roots: readonly string[] | undefined;
  /** The workspace's id; undefined: one is made of what the export says of itself. */
  readonly workspaceId: string | undefined;
  /** Whether what was never published is taken too. */
  readonly drafts: boolean;
  /** Whether constraints that the data breaks are dropped. */
  readonly relax: boolean;
}

/** What became of an export on its way. */
export interface FormatReport {
  readonly locale: string;
  /** Records that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Validations that no constraint stands for, each with how often it occurs. */
  readonly notCarriedOver: Readonly<Record<string, number>>;
  readonly relaxed: readonly Dropped[];
  /** The ids of entries that no experience shows: nothing leads to them, or too long a way (E2). */
  readonly unreachable: readonly string[];
  readonly warnings: readonly string[];
}

/** A system whose exports can be imported. */
export interface Format {
  readonly name: string;
  /** "an export of …", with how to make one. */
  readonly hint: string;
  /**
   * @throws SvcError when the file is no such export, or an option does not fit it: before
   *   anything is handed out.
   */
  read(
    path: string,
    options: FormatOptions,
  ): { source: readonly SourceItem[]; report: FormatReport };
}
