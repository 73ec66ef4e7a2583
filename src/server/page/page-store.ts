import type { Snapshot } from "../../diff/snapshot.ts";
import type { Draft } from "../../workspace/draft.ts";
import type { PreviewedWorkspace } from "../preview.ts";

export interface PageWorkspace extends PreviewedWorkspace {
  readonly id: string;
}

/** What the page needs of a store. */
export interface PageStore<W extends PageWorkspace = PageWorkspace> {
  read<T>(work: () => T): T;
  workspaces(): W[];
  draft(workspace: W): Draft;
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

/** The two sides that the page compares, given by whoever knows both store and publishing. */
export interface Sides<W extends PageWorkspace = PageWorkspace> {
  /** The documents that publishing the draft would freeze. */
  draft(draft: Draft): Snapshot;
  /** A published version's documents. */
  version(workspace: W, versionId: string): Snapshot;
}
