import { SvcError } from "../workspace/errors.ts";
import { applyPlan, countPlan, type FileCounts } from "./apply-plan.ts";
import { type FreezeOptions, type Frozen, freezeVersion } from "./freeze-version.ts";
import { OutFolder } from "./out-folder.ts";
import { planOut } from "./plan-out.ts";
import type { OnProgress, PublishedWorkspace, VersionStore } from "./version-store.ts";

export interface Published extends Frozen {
  readonly workspaceId: string;
  readonly files: FileCounts;
}

/**
 * Freezes the draft as a version, makes it current, and writes it to `out`. What cannot be written
 * is refused before the version is kept.
 */
export function publish<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  out: string,
  options: FreezeOptions,
): Published {
  const { onProgress } = options;
  const { frozen, plan } = store.write(() => {
    const frozen = freezeVersion(store, workspace, options);
    const plan = planOut(store, workspace, frozen.versionId, out, onProgress);
    new OutFolder(out).prepare();
    return { frozen, plan };
  });
  const planned = countPlan(plan);
  const isDone = planned.written + planned.removed === 0;
  const files = isDone ? planned : write(store, workspace, out, onProgress).files;
  return { workspaceId: workspace.id, ...frozen, files };
}

/** What `publish` would do: all of it is done in a transaction, looked at, and undone. */
export function planPublish<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  out: string,
  options: FreezeOptions,
): Published {
  return undone(store, () => {
    const frozen = freezeVersion(store, workspace, options);
    const plan = planOut(store, workspace, frozen.versionId, out, options.onProgress);
    return { workspaceId: workspace.id, ...frozen, files: countPlan(plan) };
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
 * Writes the current version's files again. One process at a time: planned and written in a write
 * transaction of the store, so that nobody else writes or publishes in between.
 *
 * @throws SvcError `not-published` when the workspace has no version yet.
 */
export function write<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  out: string,
  onProgress: OnProgress,
): Written {
  return store.write(() => {
    const versionId = store.versions.current(workspace.number);
    if (versionId === undefined) {
      throw new SvcError("not-published", `the workspace "${workspace.id}" was never published`, {
        hint: "svc publish makes its first version",
      });
    }
    const plan = planOut(store, workspace, versionId, out, onProgress);
    const files = applyPlan(plan, out, onProgress);
    return { workspaceId: workspace.id, versionId, files };
  });
}
