import type { Asset } from "./asset.ts";
import type { Block, Entry, Feature, Model, Project, Workspace } from "./records.ts";

/** One thing that a reader of workspaces (a folder, an export) hands to the store. */
export type SourceItem =
  | { readonly kind: "workspace"; readonly record: Workspace; readonly previewToken?: string }
  | { readonly kind: "models"; readonly record: Model }
  | { readonly kind: "blocks"; readonly record: Block }
  | { readonly kind: "features"; readonly record: Feature }
  | { readonly kind: "projects"; readonly record: Project }
  | { readonly kind: "entries"; readonly record: Entry }
  | { readonly kind: "assets"; readonly record: Asset }
  /** The bytes of an asset, before the asset that names them. */
  | { readonly kind: "file"; readonly sha256: string; readonly bytes: Uint8Array };

/**
 * A workspace on its way into a store: the `workspace` item first, then records in any order. A
 * source that finds faults throws them all together at its end, so whoever consumes it must keep
 * nothing until it has ended.
 */
export type WorkspaceSource = Iterable<SourceItem>;
