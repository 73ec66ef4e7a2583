import { resolve } from "node:path";
import { SvcError } from "../workspace/errors.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import {
  type Applied,
  applyPlan,
  assertWritable,
  countPlan,
  type FileCounts,
  isUpToDate,
  journalPlan,
} from "./apply-plan.ts";
import { currentVersion } from "./find-version.ts";
import { DEFAULT_KEEP, type FreezeOptions, type Frozen, freezeVersion } from "./freeze-version.ts";
import { OutFolder } from "./out-folder.ts";
import { withOutLock } from "./out-lock.ts";
import { type OutPlan, planOut } from "./plan-out.ts";
import { outState } from "./stat-cache.ts";
import type { OnProgress, VersionStore } from "./version-store.ts";

export interface Published extends Frozen {
  readonly workspaceId: string;
  readonly files: FileCounts;
}

/**
 * Freezes the draft as a version, makes it current, and writes it to `out`. The store's transaction
 * is the commit point: after it, `write` can complete an interrupted write at any time.
 *
 * @throws SvcError `draft-has-problems`, `out-locked`, `out-taken`, `out-obstructed`,
 *   `out-unwritable`, `disk-full`, `manifest-invalid`, and those of the store.
 */
export function publish(
  store: VersionStore,
  workspace: WorkspaceRow,
  out: string,
  options: FreezeOptions & WriteOptions,
): Published {
  const { replaced, ...done } = commitAndWrite(store, workspace, out, options, () =>
    freezeVersion(store, workspace, options),
  );
  return { ...done, published: isPublished(store, done, replaced) };
}

/** R2: a temporary store has no earlier version, so `out` decides. */
function isPublished(
  { isTemporary }: VersionStore,
  { published, versionId }: Frozen,
  replaced: string | undefined,
): boolean {
  return isTemporary ? versionId !== replaced : published;
}

export interface WriteOptions {
  readonly onProgress: OnProgress;
}

/**
 * Locks `out`, changes the current version with `commit`, in one transaction with the plan of its
 * files, and writes them.
 */
export function commitAndWrite<C extends { versionId: string }>(
  store: VersionStore,
  workspace: WorkspaceRow,
  out: string,
  { onProgress }: WriteOptions,
  commit: () => C,
): C & { workspaceId: string; replaced: string | undefined; files: FileCounts } {
  return withOutLock(out, () => {
    const { committed, plan } = planAndCommit(store, out, () => {
      const committed = commit();
      const plan = planOut(store, workspace, committed.versionId, out, onProgress);
      return { committed, plan };
    });
    const applied = isUpToDate(plan)
      ? nothingApplied(plan)
      : afterCommit(store, committed.versionId, () =>
          writePlanned(store, workspace, plan, out, onProgress),
        );
    saveOutState(store, workspace, out, plan, applied);
    const { replaced } = plan;
    return { workspaceId: workspace.id, ...committed, replaced, files: applied.counts };
  });
}

/** Writes the journal of `out` last before the commit. */
function planAndCommit<P extends { plan: OutPlan }>(
  store: VersionStore,
  out: string,
  work: () => P,
): P {
  let undoJournal = () => {};
  try {
    return store.write(() => {
      const planned = work();
      if (!isUpToDate(planned.plan)) {
        assertWritable(planned.plan, out);
        undoJournal = journalPlan(planned.plan, out);
      }
      return planned;
    });
  } catch (error) {
    undoJournal();
    throw error;
  }
}

/** In one read transaction: other processes may change the store meanwhile. */
function writePlanned(
  store: VersionStore,
  { number }: WorkspaceRow,
  plan: OutPlan,
  out: string,
  onProgress: OnProgress,
): Applied {
  return store.read(() => {
    if (store.versions.has(number, plan.versionId)) return applyPlan(plan, out, onProgress);
    throw new SvcError("version-pruned", "another publish has pruned the version meanwhile", {
      hint: "keep more versions with --keep",
    });
  });
}

function nothingApplied(plan: OutPlan): Applied {
  return { counts: countPlan(plan), signatures: plan.signatures };
}

/** Saves the stat cache for the next plan, if that is possible now. */
function saveOutState(
  store: VersionStore,
  { number }: WorkspaceRow,
  out: string,
  plan: OutPlan,
  { signatures }: Applied,
): void {
  if (store.isTemporary || (isUpToDate(plan) && !plan.hasReadFiles)) return;
  const folder = new OutFolder(out);
  try {
    const state = outState(folder, plan.paths, signatures);
    store.writeOrRead((canWrite) => {
      if (canWrite) store.outStates.save(number, resolve(folder.path), state);
    });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
  }
}

/** Adds to errors that the version was committed. */
function afterCommit<T>({ isTemporary }: VersionStore, versionId: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint = "fix that" } = error;
    const state = isTemporary ? "written in part" : "the current one in the store";
    const remedy = isTemporary ? "the same command" : "svc write";
    throw new SvcError(code, `${message}; version ${versionId} is ${state}`, {
      hint: `${hint}; then ${remedy} completes the files`,
      cause: error,
    });
  }
}

/** The result that `publish` would have: it runs in a transaction that is rolled back. */
export function planPublish<T = undefined>(
  store: VersionStore,
  workspace: WorkspaceRow,
  out: string,
  options: FreezeOptions,
  /** Called within the transaction; `from`: the store's version that would be replaced. */
  inspect?: (versions: { from: string | undefined; to: string }) => T,
): Published & { inspected: T | undefined } {
  return dryRun(store, () => {
    const from = store.history.current(workspace.number);
    const frozen = freezeVersion(store, workspace, { ...options, keep: Number.POSITIVE_INFINITY });
    const plan = planOut(store, workspace, frozen.versionId, out, options.onProgress);
    const inspected = inspect?.({ from, to: frozen.versionId });
    const pruned = store.history.prune(workspace.number, options.keep ?? DEFAULT_KEEP);
    const published = isPublished(store, frozen, plan.replaced);
    const files = countPlan(plan);
    return { workspaceId: workspace.id, ...frozen, published, pruned, files, inspected };
  });
}

/** Runs `work` in a write transaction and rolls it back. */
function dryRun<T>(store: VersionStore, work: () => T): T {
  const rollback = new Error("rollback");
  let result: { value: T } | undefined;
  try {
    store.write(() => {
      result = { value: work() };
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && result !== undefined) return result.value;
    throw error;
  }
  throw rollback;
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
  store: VersionStore,
  workspace: WorkspaceRow,
  out: string,
  { onProgress }: WriteOptions,
): Written {
  return withOutLock(out, () => {
    const { plan, applied } = store.read(() => {
      store.checkIntegrity();
      const versionId = currentVersion(store, workspace);
      const plan = planOut(store, workspace, versionId, out, onProgress);
      if (isUpToDate(plan)) return { plan, applied: nothingApplied(plan) };
      assertWritable(plan, out);
      journalPlan(plan, out);
      return { plan, applied: applyPlan(plan, out, onProgress) };
    });
    saveOutState(store, workspace, out, plan, applied);
    const { versionId } = plan;
    return { workspaceId: workspace.id, versionId, files: applied.counts };
  });
}
