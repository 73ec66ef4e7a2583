import { resolve } from "node:path";
import { SvcError } from "../workspace/errors.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import {
  type Applied,
  applyPlan,
  beginPlan,
  countPlan,
  type FileCounts,
  isDone,
  refuseImpossible,
} from "./apply-plan.ts";
import { type FreezeOptions, type Frozen, freezeVersion, KEPT } from "./freeze-version.ts";
import { outState } from "./known-files.ts";
import { OutFolder } from "./out-folder.ts";
import { withOutLock } from "./out-lock.ts";
import { type OutPlan, planOut } from "./plan-out.ts";
import { currentVersion } from "./stored-version.ts";
import type { OnProgress, VersionStore } from "./version-store.ts";

export interface Published extends Frozen {
  readonly workspaceId: string;
  readonly files: FileCounts;
}

/**
 * Freezes the draft as a version, makes it current, and writes it to `out`. The transaction of the
 * store is the commit point, `out` a projection of it: what cannot be written is refused before
 * the version is kept, and what was not written for another reason `write` completes.
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
  return commitAndWrite(store, workspace, out, options, () =>
    freezeVersion(store, workspace, options),
  );
}

/** How files are written. */
export interface WriteOptions {
  readonly onProgress: OnProgress;
}

/**
 * Changes which version is current by `commit`, in one transaction with the plan of its files, and
 * writes them, with `out` locked all the time.
 */
export function commitAndWrite<C extends { versionId: string }>(
  store: VersionStore,
  workspace: WorkspaceRow,
  out: string,
  how: WriteOptions,
  commit: () => C,
): C & { workspaceId: string; files: FileCounts } {
  return withOutLock(out, () => {
    const { committed, plan } = planAndCommit(store, out, () => {
      const committed = commit();
      const plan = planOut(store, workspace, committed.versionId, out, how.onProgress);
      return { committed, plan };
    });
    const applied = isDone(plan)
      ? nothingApplied(plan)
      : afterCommit(committed.versionId, () => writePlanned(store, workspace, plan, out, how));
    rememberOut(store, workspace, out, plan, applied);
    return { workspaceId: workspace.id, ...committed, files: applied.counts };
  });
}

/** The last thing before the commit is to write down in `out` what is begun. */
function planAndCommit<P extends { plan: OutPlan }>(
  store: { write<T>(work: () => T): T; checkWhole(): void },
  out: string,
  work: () => P,
): P {
  let takeBack = () => {};
  try {
    return store.write(() => {
      const planned = work();
      if (!isDone(planned.plan)) {
        refuseImpossible(planned.plan, out);
        takeBack = beginPlan(planned.plan, out);
      }
      return planned;
    });
  } catch (error) {
    takeBack();
    throw error;
  }
}

/** From one state of the store, while others may write to it. */
function writePlanned(
  store: VersionStore,
  { number }: WorkspaceRow,
  plan: OutPlan,
  out: string,
  how: WriteOptions,
): Applied {
  return store.read(() => {
    const { versions } = store;
    if (versions.has(number, plan.versionId)) {
      return applyPlan(plan, out, how.onProgress);
    }
    throw new SvcError("version-pruned", "another publish has pruned the version meanwhile", {
      hint: "keep more versions with --keep",
    });
  });
}

function nothingApplied(plan: OutPlan): Applied {
  return { counts: countPlan(plan), looks: plan.looks };
}

/** So that what stays as it is need not be read by the next plan. That this fails is no failure. */
function rememberOut(
  store: VersionStore,
  { number }: WorkspaceRow,
  out: string,
  plan: OutPlan,
  { looks }: Applied,
): void {
  if (isDone(plan) && !plan.isNews) return;
  const folder = new OutFolder(out);
  try {
    const state = outState(folder, plan.paths, looks);
    store.writeOrRead((isKept) => {
      if (isKept) store.outStates.keep(number, resolve(folder.path), state);
    });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
  }
}

/** What fails after the version was kept says so. */
function afterCommit<T>(versionId: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint } = error;
    throw new SvcError(code, `${message}; version ${versionId} is the current one in the store`, {
      hint: `${hint ?? "mend that"}; then svc write completes the files`,
      cause: error,
    });
  }
}

/** What `publish` would do: all of it is done in a transaction, looked at, and undone. */
export function planPublish<T = undefined>(
  store: VersionStore,
  workspace: WorkspaceRow,
  out: string,
  options: FreezeOptions,
  /** Looks at the version while it is there; `from` is the one it would replace. */
  look?: (versions: { from: string | undefined; to: string }) => T,
): Published & { looked: T | undefined } {
  return undone(store, () => {
    const from = store.history.current(workspace.number);
    const frozen = freezeVersion(store, workspace, { ...options, keep: Number.POSITIVE_INFINITY });
    const plan = planOut(store, workspace, frozen.versionId, out, options.onProgress);
    const looked = look?.({ from, to: frozen.versionId });
    const pruned = store.history.prune(workspace.number, options.keep ?? KEPT);
    return { workspaceId: workspace.id, ...frozen, pruned, files: countPlan(plan), looked };
  });
}

/** Runs `work` in a write transaction of which nothing is kept. */
function undone<T>(store: { write(work: () => void): void }, work: () => T): T {
  const undo = new Error("undo");
  let result: { value: T } | undefined;
  try {
    store.write(() => {
      result = { value: work() };
      throw undo;
    });
  } catch (error) {
    if (error === undo && result !== undefined) return result.value;
    throw error;
  }
  throw undo;
}

export interface Written {
  readonly workspaceId: string;
  readonly versionId: string;
  readonly files: FileCounts;
}

/**
 * Writes the current version's files again: also what completes a write that was interrupted.
 *
 * @throws SvcError `not-published` when the workspace has no version yet, and as `publish`.
 */
export function write(
  store: VersionStore,
  workspace: WorkspaceRow,
  out: string,
  how: WriteOptions,
): Written {
  return withOutLock(out, () => {
    const { plan, applied } = store.read(() => {
      store.checkWhole();
      const versionId = currentVersion(store, workspace);
      const plan = planOut(store, workspace, versionId, out, how.onProgress);
      if (isDone(plan)) return { plan, applied: nothingApplied(plan) };
      refuseImpossible(plan, out);
      beginPlan(plan, out);
      return { plan, applied: applyPlan(plan, out, how.onProgress) };
    });
    rememberOut(store, workspace, out, plan, applied);
    const { versionId } = plan;
    return { workspaceId: workspace.id, versionId, files: applied.counts };
  });
}
