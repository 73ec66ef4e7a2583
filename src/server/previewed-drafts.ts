import type { Draft, WorkspaceRow } from "../workspace/draft.ts";

/** What a preview shows: the drafts of a store, or that of a workspace folder in memory. */
export interface PreviewedDrafts {
  readonly source: "folder" | "store";
  /** Differs after each change, by any process. */
  readonly changeMark: string;
  /** @throws SvcError when the store's file was replaced or removed. */
  checkInPlace(): void;
  /** Runs `work`, which sees one state. */
  read<T>(work: () => T): T;
  workspaces(): readonly WorkspaceRow[];
  /** The workspace whose draft has this project. */
  workspaceOfProject(projectId: string): WorkspaceRow | undefined;
  /** @param earlier another state of the same draft: what did not change is not read again. */
  draft(workspace: WorkspaceRow, earlier?: Draft): Draft;
  /** The bytes of an asset of any draft, by the path at which it would be published. */
  draftFile(path: string): Uint8Array | undefined;
  readonly tokens: {
    create(
      workspace: number,
      options: { name: string; createdAt: Date; expiresAt: Date },
    ): { token: string };
    /** The tokens that a workspace has now. */
    of(workspace: number): { isValid(token: string, now: Date): boolean };
  };
}

/** H3: the workspace of a project, if all `preview_token` of a request are one that is valid there. */
export function workspaceOfToken(
  drafts: PreviewedDrafts,
  projectId: string,
  [token, ...others]: readonly string[],
  now: Date,
): WorkspaceRow | undefined {
  if (!token || others.length > 0) return undefined;
  const workspace = drafts.workspaceOfProject(projectId);
  const isValid = drafts.tokens.of(workspace?.number ?? -1).isValid(token, now);
  return isValid ? workspace : undefined;
}
