import type { OnProgress } from "../documents/rendering.ts";
import { withLock } from "../files/lock.ts";
import type { Store } from "../store/store.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import { type Hold, holdAfter, type NewHold } from "../workspace/hold.ts";
import { applyPlan, type FileCounts, journalPlan } from "./apply-plan.ts";
import { planOut } from "./plan-out.ts";
import { committed } from "./publish.ts";
import { StoreSource } from "./store-source.ts";
import { currentVersion, findVersion, storedVersion, type Version } from "./version.ts";

export interface WriteOptions {
  readonly onProgress?: OnProgress | undefined;
}

export interface Written {
  readonly workspaceId: string;
  readonly versionId: string;
  readonly files: FileCounts;
}

/**
 * Writes the current version's files again, and completes an interrupted write.
 *
 * @throws SvcError `not-published` when the workspace has no version yet, and as `publish`.
 */
export function write(
  store: Store,
  workspace: WorkspaceRow,
  out: string,
  { onProgress }: WriteOptions = {},
): Written {
  const work = () => {
    store.checkIntegrity();
    const version = storedVersion(store, workspace, currentVersion(store, workspace));
    const plan = planOut(workspace.id, version, out, onProgress);
    journalPlan(plan);
    const { versionId } = version;
    return { workspaceId: workspace.id, versionId, files: applyPlan(plan, onProgress) };
  };
  return withLock(out, () => store.read(work));
}

export interface RolledBack extends Written {
  /** The version that was current before. */
  readonly from: string;
  /** False when the version was already current. */
  readonly rolledBack: boolean;
  readonly hold: Hold | undefined;
}

/**
 * R6a: ends a workspace's hold. Returns it; undefined: there was none.
 *
 * @throws SvcError those of the store.
 */
export function resume(store: Store, { number }: WorkspaceRow): Hold | undefined {
  return store.write(() => {
    const hold = store.history.hold(number);
    store.history.setHold(number, undefined);
    return hold;
  });
}

/**
 * R6: makes an earlier version current again and writes its frozen bytes (R3). The draft is unchanged.
 *
 * @param prefix the version's id, or a unique prefix of it.
 * @param options `holder`: R6a, holds it, unless it is current already (R6c); undefined: what holds stays.
 * @throws SvcError as `findVersion`, `currentVersion` and `publish`.
 */
export function rollback(
  store: Store,
  workspace: WorkspaceRow,
  prefix: string,
  out: string,
  {
    now,
    holder,
    onProgress,
  }: WriteOptions & { readonly now: Date; readonly holder?: NewHold | undefined },
): RolledBack {
  const source = new StoreSource(store, workspace);
  const { plan: _, ...made } = committed(source, out, onProgress, () => {
    store.checkIntegrity();
    const from = currentVersion(store, workspace);
    const versionId = findVersion(store, workspace, prefix);
    const version = storedVersion(store, workspace, versionId);
    proveReadable(version);
    const isOther = versionId !== from;
    const { history } = store;
    if (isOther) history.makeCurrent(workspace.number, versionId, "rollback", now);
    const before = history.hold(workspace.number);
    // R6c.
    const holds = holder !== undefined && (isOther || before !== undefined);
    const hold = holds ? holdAfter(before, holder, now) : before;
    history.setHold(workspace.number, hold);
    const plan = planOut(workspace.id, version, out, onProgress);
    return { versionId, from, rolledBack: isOther, hold, plan };
  });
  return { workspaceId: workspace.id, ...made };
}

/** R6b: reads all of a version, also what `out/` has already. */
function proveReadable({ documents, files, frozenBytes, fileBytes }: Version): void {
  for (const { path } of documents) frozenBytes(path);
  for (const { sha256 } of files) fileBytes(sha256);
}
