import type { Snapshot } from "../../diff/snapshot.ts";
import type { Rendering } from "../../documents/rendering.ts";
import type { PreviewedWorkspace } from "../draft-renderings.ts";

export type PageWorkspace = PreviewedWorkspace;

/** What the preview page needs of a store. */
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

/** The current renderings of the drafts. */
export interface PageRenderings<W extends PageWorkspace = PageWorkspace> {
  of(workspace: W): Rendering;
}

/** The two snapshots that the page compares; injected, since this room does not import `publish`. */
export interface SnapshotSource {
  /** The documents that publishing the draft would freeze. */
  draft(workspace: PageWorkspace, rendering: Rendering): Snapshot;
  /** The documents of a published version. */
  version(workspace: PageWorkspace, versionId: string): Snapshot;
}
