import type { Snapshot } from "../../diff/snapshot.ts";
import type { Rendering } from "../../documents/rendering.ts";
import type { WorkspaceRow } from "../../workspace/workspace-row.ts";

/** The current renderings of the drafts, as previewed. */
export interface PageRenderings {
  of(workspace: WorkspaceRow): Rendering;
  /** A1: as it would be published, without hidden entries. */
  published(workspace: WorkspaceRow): Rendering;
}

/** The two snapshots that the page compares; injected, since src/server does not import `publish`. */
export interface SnapshotSource {
  /** The documents that publishing the draft would freeze. */
  draft(rendering: Rendering): Snapshot;
  /** The documents of a published version. */
  version(workspace: WorkspaceRow, versionId: string): Snapshot;
}
