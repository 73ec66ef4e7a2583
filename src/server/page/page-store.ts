import type { Snapshot } from "../../diff/snapshot.ts";
import type { Rendering } from "../../documents/rendering.ts";
import type { PreviewedWorkspace } from "../draft-renderings.ts";

export interface PageWorkspace extends PreviewedWorkspace {
  readonly id: string;
}

/** What the page needs of a store. */
export interface PageStore<W extends PageWorkspace = PageWorkspace> {
  read<T>(work: () => T): T;
  workspaces(): W[];
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
export interface PageRenderings<W extends PageWorkspace = PageWorkspace> {
  of(workspace: W): Rendering;
}

/** The two sides that the page compares, given by whoever knows both store and publishing. */
export interface SnapshotSource<W extends PageWorkspace = PageWorkspace> {
  /** The documents that publishing the draft would freeze. */
  draft(workspace: W, rendering: Rendering): Snapshot;
  /** A published version's documents. */
  version(workspace: W, versionId: string): Snapshot;
}
