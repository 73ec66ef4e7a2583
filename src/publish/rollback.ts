import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { FileCounts } from "./apply-plan.ts";
import { currentVersion, findVersion } from "./find-version.ts";
import { commitAndWrite, type WriteOptions } from "./publish.ts";
import type { VersionStore } from "./version-store.ts";

export interface RolledBack {
  readonly workspaceId: string;
  readonly versionId: string;
  /** The version that was current before. */
  readonly from: string;
  /** False when the version was already current. */
  readonly rolledBack: boolean;
  readonly files: FileCounts;
}

export interface RollbackOptions extends WriteOptions {
  readonly now: Date;
}

/**
 * Makes an earlier version current again and writes its frozen bytes (R3). The draft is unchanged.
 *
 * @throws SvcError as `findVersion`, `currentVersion` and `publish`.
 */
export function rollback(
  store: VersionStore,
  workspace: WorkspaceRow,
  /** The version's id, or a unique prefix of it. */
  prefix: string,
  out: string,
  options: RollbackOptions,
): RolledBack {
  const { replaced: _, ...done } = commitAndWrite(store, workspace, out, options, () => {
    store.checkIntegrity();
    const from = currentVersion(store, workspace);
    const versionId = findVersion(store, workspace, prefix);
    const rolledBack = versionId !== from;
    if (rolledBack) store.history.makeCurrent(workspace.number, versionId, "rollback", options.now);
    return { versionId, from, rolledBack };
  });
  return done;
}
