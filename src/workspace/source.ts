import type { Asset } from "./asset.ts";
import type { Block, Entry, Feature, Model, Project, Workspace } from "./records.ts";

/** One item that a reader of workspaces (a folder, an export) passes to the store. */
export type SourceItem =
  | { readonly kind: "workspace"; readonly record: Workspace; readonly previewToken?: string }
  | ({ readonly kind: "models"; readonly record: Model } & InFile)
  | ({ readonly kind: "blocks"; readonly record: Block } & InFile)
  | ({ readonly kind: "features"; readonly record: Feature } & InFile)
  | ({ readonly kind: "projects"; readonly record: Project } & InFile)
  | ({
      readonly kind: "entries";
      readonly record: Entry;
      /** The record as UTF-8, where the reader has it; to be used at once. */
      readonly json?: Uint8Array;
    } & InFile)
  | ({ readonly kind: "assets"; readonly record: Asset } & InFile)
  /** The bytes of an asset, before the asset that names them; the path of their file, if they have one. */
  | {
      readonly kind: "file";
      readonly sha256: string;
      readonly bytes: Uint8Array;
      readonly path?: string;
    };

interface InFile {
  /** The file of a workspace folder that the record is in. */
  readonly file?: string;
}

/**
 * A workspace to import: the `workspace` item first, then records in any order. A source throws its
 * faults together at its end, so nothing may be committed before that.
 */
export type WorkspaceSource = Iterable<SourceItem>;
