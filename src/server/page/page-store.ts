import type { Snapshot } from "../../diff/snapshot.ts";
import type { Rendering } from "../../documents/rendering.ts";
import type { WorkspaceRow } from "../../workspace/workspace-row.ts";

/** What the page needs of a store. */
export interface PageStore {
  read<T>(work: () => T): T;
  workspaces(): WorkspaceRow[];
  readonly history: {
    current(workspace: number): string | undefined;
    list(
      workspace: number,
    ): readonly { readonly versionId: string; readonly publishedAt: string }[];
  };
  readonly tokens: {
    create(
      workspace: number,
      options: { name: string; createdAt: Date; expiresAt: Date },
    ): { token: string };
  };
}

/** The renderings of the drafts as they are now. */
export interface PageRenderings {
  of(workspace: WorkspaceRow): Rendering;
}

/** The two sides that the page compares, given by whoever knows both store and publishing. */
export interface Sides {
  /** The documents that publishing the draft would freeze. */
  draft(workspace: WorkspaceRow, rendering: Rendering): Snapshot;
  /** A published version's documents. */
  version(workspace: WorkspaceRow, versionId: string): Snapshot;
}
