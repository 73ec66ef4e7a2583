import { SvcError } from "../workspace/errors.ts";
import { type FreezeOptions, type Frozen, freezeVersion } from "./freeze-version.ts";
import type { OnProgress, PublishedWorkspace, VersionStore } from "./version-store.ts";
import { type FileCounts, prepareOut, writeOut } from "./write-out.ts";

export interface Published extends Frozen {
  readonly workspaceId: string;
  readonly files: FileCounts;
}

/** Freezes the draft as a version, makes it current, and writes it to `out`. */
export function publish<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  out: string,
  options: FreezeOptions,
): Published {
  const { onProgress } = options;
  const frozen = store.write(() => {
    const result = freezeVersion(store, workspace, options);
    // What cannot be written is refused while the version can still be undone.
    prepareOut(store, workspace, result.versionId, out);
    return result;
  });
  const files = write(store, workspace, out, onProgress).files;
  return { workspaceId: workspace.id, ...frozen, files };
}

class DryRun extends Error {
  readonly result: Published;

  constructor(result: Published) {
    super("dry run");
    this.result = result;
  }
}

/** What `publish` would do: it is done, looked at, and undone. */
export function planPublish<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  out: string,
  options: FreezeOptions,
): Published {
  const { onProgress } = options;
  try {
    return store.write(() => {
      const frozen = freezeVersion(store, workspace, options);
      const dry = { dryRun: true, onProgress };
      const files = writeOut(store, workspace, frozen.versionId, out, dry);
      throw new DryRun({ workspaceId: workspace.id, ...frozen, files });
    });
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  }
}

export interface Written {
  readonly workspaceId: string;
  readonly versionId: string;
  readonly files: FileCounts;
}

/**
 * Writes the current version's files again.
 *
 * @throws SvcError `not-published` when the workspace has no version yet.
 */
export function write<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  out: string,
  onProgress: OnProgress,
): Written {
  return store.read(() => {
    const versionId = store.versions.current(workspace.number);
    if (versionId === undefined) {
      throw new SvcError("not-published", `the workspace "${workspace.id}" was never published`, {
        hint: "svc publish makes its first version",
      });
    }
    const files = writeOut(store, workspace, versionId, out, { dryRun: false, onProgress });
    return { workspaceId: workspace.id, versionId, files };
  });
}
