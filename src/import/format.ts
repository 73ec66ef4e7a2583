import type { JsonObject } from "../workspace/json.ts";
import type { Block, ImportChoices, Model, Project, Publishing } from "../workspace/records.ts";
import type { WorkspaceSource } from "../workspace/source.ts";
import type { TypeChoice } from "./formats/type-choice.ts";

/** Options for reading an export of another system. */
export interface FormatOptions {
  /** The locale to import; `*`: all; undefined: as in the last import, else all (X3c, X18). */
  readonly locale?: string | undefined;
  /** Types whose entries become experiences; undefined: those of the last import, else pages. */
  readonly roots?: readonly string[] | undefined;
  /** The workspace's id; undefined: derived from the export. */
  readonly workspaceId?: string | undefined;
  /** Whether drafts are imported as published (X3d, X12, X17, X19c). */
  readonly drafts?: boolean | undefined;
  /** Whether documents are taken that Sanity keeps from the public (X26). */
  readonly private?: boolean | undefined;
  /** The file of a schema, for systems whose exports have none. */
  readonly schema?: string | undefined;
  /** The languages of texts, the main one first (X3g); undefined: those that are found. */
  readonly locales?: readonly string[] | undefined;
  /** The types of fields, for systems whose exports state none (X24d). */
  readonly types?: readonly TypeChoice[] | undefined;
  /** What links between texts become (X19g); undefined: they stay text. */
  readonly links?: "text" | "references" | undefined;
  /** Whether a text is published from its `date` on; undefined: as its generator has it (X22e). */
  readonly dates?: "publish" | "keep" | undefined;
  /** Whether collections are made where they can be (Q23); undefined: as in the last import. */
  readonly collections?: boolean | undefined;
  /** X23g: whether an entry is hidden in languages that it is not translated into; undefined: as in the last import. */
  readonly onlyTranslated?: boolean | undefined;
  /** Whether an experience that the export has no root for is removed (X2). */
  readonly removeExperiences?: boolean | undefined;
  /** Whether an export is taken that seems to be a part of one (X5). */
  readonly part?: boolean | undefined;
  /** The folder with the files of assets; undefined: assets stay at their urls. */
  readonly assets?: string | undefined;
  /** The workspace with this id as it is before the import. */
  readonly before: (workspaceId: string) => ImportedBefore | undefined;
  /** X10a: the id of the workspace in the folder that is written, if it is of the same system. */
  readonly own?: string | undefined;
}

/** What an import takes from the workspace that it replaces. */
export interface ImportedBefore {
  /** Of the workspace. */
  readonly name: string;
  readonly choices: ImportChoices | undefined;
  /** With what their collections give entries, as if it was written too (Q24). */
  readonly projects: readonly Project[];
  /** X2: the ids of entries that are drafts, in any language, or have times. */
  readonly hidden: ReadonlySet<string>;
  /** The values of an entry; undefined: there is none. */
  readonly dataOf: (id: string) => JsonObject | undefined;
}

/** X21: a published record that an export has with edits that were never published; by its id there. */
export interface UnpublishedEdit {
  readonly kind: "entry" | "asset";
  readonly id: string;
}

/** X3e: an entry that is a draft in these locales, and published in others. */
interface DraftLocales {
  readonly id: string;
  readonly locales: readonly string[];
}

/** How an export was converted. */
export interface FormatReport {
  /** The locale that was imported, or the default one; undefined: the export has no locales. */
  readonly locale?: string;
  /** All that were imported, the default one first, each with a project; undefined: at most one was. */
  readonly locales?: readonly { readonly locale: string; readonly project: string }[];
  /** X3h: the languages that were found, with their texts; absent: they are not found, but stated or named. */
  readonly found?: readonly { readonly locale: string; readonly texts: number }[];
  /** The number of records that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** The number of validations without an equivalent constraint, by name. */
  readonly notCarriedOver: Readonly<Record<string, number>>;
  /** How many entries have `draft: true`. */
  readonly drafts: number;
  readonly unpublishedEdits: readonly UnpublishedEdit[];
  readonly draftLocales: readonly DraftLocales[];
  /** The types whose entries are experiences. */
  readonly roots: readonly string[];
  /** The ids of entries that no entry of these types leads to within 5 references (E2). */
  readonly unreachable: readonly string[];
  readonly experiences: {
    /** The ids of entries that became experiences since they are unreachable otherwise. */
    readonly added: readonly string[];
    /** The ids of experiences that have no root in the export, by what became of them (X2). */
    readonly kept: readonly string[];
    readonly removed: readonly string[];
  };
  readonly warnings: readonly string[];
}

/** An export that was read: its records may be read from the files again when they are taken. */
export interface ReadExport {
  readonly workspaceId: string;
  readonly source: WorkspaceSource;
  /** How many items the source has, about. */
  readonly size: number;
  readonly report: FormatReport;
  /** The models and blocks, for formats that keep them. */
  readonly definitions?: { readonly models: readonly Model[]; readonly blocks: readonly Block[] };
  /** X9a: what became of each type, field and record of the export. */
  fates(): Iterable<Fate>;
}

/** What became of a type, a field or a record of an export. */
export interface Fate {
  readonly kind: "type" | "field" | "entry" | "asset" | "file";
  /** In the export; of a field: `<type>.<field>`. */
  readonly id: string;
  /** Absent: it was left out. */
  readonly became?: Publishing & {
    readonly id: string;
    /** Of a field, or of an entry in the export. */
    readonly type?: string;
    /** The experience that shows the entry by a step. */
    readonly experience?: string;
    /** How many values a field has. */
    readonly values?: number;
  };
  /** What was lost, or why it was left out. */
  readonly lost: readonly string[];
}

/** The options that not every format takes. */
export const NOT_OF_ALL = [
  ...(["assets", "dates", "links", "locale", "locales", "onlyTranslated"] as const),
  ...(["part", "private", "schema", "types"] as const),
];

/** A system whose exports can be imported. */
export interface Format {
  readonly name: string;
  /** How to create such an export. */
  readonly hint: string;
  readonly options: readonly (typeof NOT_OF_ALL)[number][];
  /** Whether the file of `schema` is written when there is none. */
  readonly keepsSchema?: boolean;
  /** Whether an export may be a `.tar.gz` archive: `read` gets the folder that it is unpacked to. */
  readonly mayBeArchive?: boolean;
  /**
   * @throws SvcError when the file is not such an export, or an option does not fit it.
   */
  read(paths: readonly string[], options: FormatOptions): ReadExport;
}
