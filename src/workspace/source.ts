import type { Asset } from "./asset.ts";
import type { Block, Entry, Feature, Model, Project, Workspace } from "./records.ts";

/** An entry as a store keeps it: its data as JSON, and a checksum of the three texts. */
export type EntryRow = readonly [id: string, modelId: string, data: string, check: number];

/** One item that a reader of workspaces (a folder, an export) passes to the store. */
export type SourceItem =
  | { readonly kind: "workspace"; readonly record: Workspace; readonly previewToken?: string }
  | { readonly kind: "models"; readonly record: Model }
  | { readonly kind: "blocks"; readonly record: Block }
  | { readonly kind: "features"; readonly record: Feature }
  | { readonly kind: "projects"; readonly record: Project }
  | { readonly kind: "entries"; readonly record: Entry }
  /** Entries that another thread has made ready for the store. */
  | { readonly kind: "rows"; readonly rows: readonly EntryRow[] }
  | { readonly kind: "assets"; readonly record: Asset }
  /** The bytes of an asset, before the asset that names them. */
  | { readonly kind: "file"; readonly sha256: string; readonly bytes: Uint8Array };

/**
 * A workspace to import: the `workspace` item first, then records in any order. A source throws its
 * faults together at its end, so nothing may be committed before that.
 */
export type WorkspaceSource = Iterable<SourceItem>;
