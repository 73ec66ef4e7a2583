import { knownFiles } from "./known-files.ts";
import type { ReadManifest } from "./manifest.ts";
import type { OutFolder } from "./out-folder.ts";
import { NOT_FOUND, notFoundContent, type OutPlan } from "./plan-out.ts";
import { planRemovals } from "./plan-removals.ts";
import type { PublishedWorkspace, VersionStore } from "./version-store.ts";

/**
 * The plan for an `out/` that holds the version already, as it was left when it was written: two
 * fifths of the time of reading its files. Undefined where it may be otherwise.
 */
export function planUnchanged<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  versionId: string,
  folder: OutFolder,
  before: ReadManifest | undefined,
): OutPlan | undefined {
  const published = before?.manifest.workspaces[workspace.id];
  if (before === undefined || published?.versionId !== versionId) return undefined;
  const paths = Object.keys(published.files);
  const { documents, files } = store.versions.contents(workspace.number, versionId);
  if (documents.length + files.length !== paths.length) return undefined;
  const known = knownFiles(store, workspace, folder, before);
  const isAsLeft = paths.every((path) => {
    const stats = folder.look(path);
    return stats !== undefined && known(path, stats) !== undefined;
  });
  if (!isAsLeft || folder.compare(NOT_FOUND, notFoundContent()).state !== "same") return undefined;
  const { removals, wasInterrupted } = planRemovals(folder, before.manifest, workspace.id, paths);
  if (removals.length > 0 || wasInterrupted) return undefined;
  return {
    workspaceId: workspace.id,
    versionId,
    files: [...paths, NOT_FOUND].map((path) => ({ path, action: "unchanged" })),
    manifest: "same",
    manifestBytes: () => new Uint8Array(),
    unlisted: [],
    wasInterrupted,
    looks: new Map(),
    paths,
    isNews: false,
  };
}
