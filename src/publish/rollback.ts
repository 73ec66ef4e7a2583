import type { FileCounts } from "./apply-plan.ts";
import { commitAndWrite } from "./publish.ts";
import { currentVersion, findVersion } from "./stored-version.ts";
import type { OnProgress, PublishedWorkspace, VersionStore } from "./version-store.ts";

export interface RolledBack {
  readonly workspaceId: string;
  readonly versionId: string;
  /** The version that was current before. */
  readonly from: string;
  /** False when the version was the current one already. */
  readonly rolledBack: boolean;
  readonly files: FileCounts;
}

export interface RollbackOptions {
  readonly now: Date;
  readonly onProgress: OnProgress;
}

/**
 * Makes an earlier version current again and writes its frozen bytes (R3). The draft stays as it
 * is.
 *
 * @throws SvcError those of `findVersion`, `not-published`, and as `publish`.
 */
export function rollback<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  /** The version's id, or as much of its beginning as tells it from the others. */
  prefix: string,
  out: string,
  { now, onProgress }: RollbackOptions,
): RolledBack {
  return commitAndWrite(store, workspace, out, onProgress, () => {
    const from = currentVersion(store, workspace);
    const versionId = findVersion(store, workspace, prefix);
    const rolledBack = versionId !== from;
    if (rolledBack) store.history.makeCurrent(workspace.number, versionId, "rollback", now);
    return { versionId, from, rolledBack };
  });
}
