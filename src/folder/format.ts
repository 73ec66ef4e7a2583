import type { SourceItem } from "../workspace/source.ts";
import type { DroppedConstraint } from "./relax.ts";

/** Options for reading an export of another system. */
export interface FormatOptions {
  /** The locale to import; undefined: the system's default. */
  readonly locale: string | undefined;
  /** Types whose entries become experiences; undefined: entries that no other entry references. */
  readonly roots: readonly string[] | undefined;
  /** The workspace's id; undefined: derived from the export. */
  readonly workspaceId: string | undefined;
  /** Whether unpublished records are imported too. */
  readonly drafts: boolean;
  /** Whether to drop constraints that the data breaks. */
  readonly relax: boolean;
  /** The file of a schema, for systems whose exports have none. */
  readonly schema?: string | undefined;
}

/** How an export was converted. */
export interface FormatReport {
  /** The locale that was imported; undefined: the export has no locales. */
  readonly locale?: string;
  /** The number of records that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** The number of validations without an equivalent constraint, by name. */
  readonly notCarriedOver: Readonly<Record<string, number>>;
  readonly relaxed: readonly DroppedConstraint[];
  /** The ids of entries in no experience: not referenced, or more than 5 references away (E2). */
  readonly unreachable: readonly string[];
  readonly warnings: readonly string[];
}

/** A system whose exports can be imported. */
export interface Format {
  readonly name: string;
  /** How to create such an export. */
  readonly hint: string;
  /** The options that it takes. */
  readonly options: readonly (keyof FormatOptions)[];
  /** Whether an export may be a `.tar.gz` archive: `read` gets the folder that it is unpacked to. */
  readonly mayBeArchive?: boolean;
  /**
   * @throws SvcError when the file is not such an export, or an option does not fit it.
   */
  read(
    path: string,
    options: FormatOptions,
  ): { source: Iterable<SourceItem>; report: FormatReport };
}
