import { dirname } from "node:path";
import { addressOfFilePath, projectFolder } from "../documents/address.ts";
import type { Folder } from "../files/folder.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { type Manifest, WRITE_JOURNAL } from "./manifest.ts";
import { readPendingWrites } from "./write-journal.ts";

export interface Removal {
  readonly path: string;
  readonly action: "remove";
  /** Published before; or left behind by an interrupted write. */
  readonly reason: "published-before" | "left-behind";
}

/**
 * Plans to remove the files of the workspace that the version does not have: those in the manifest,
 * other documents in its project folders, and what interrupted writes left behind anywhere. Files
 * that svc cannot have written are kept.
 */
export function planRemovals(
  folder: Folder,
  { workspaces }: Manifest,
  workspaceId: string,
  paths: readonly string[],
): { removals: Removal[]; wasInterrupted: boolean } {
  const pending = readPendingWrites(folder);
  const own = new Set(Object.keys(workspaces[workspaceId]?.files ?? {}));
  const kept = new Set(paths);
  for (const [id, { files }] of Object.entries(workspaces)) {
    if (id !== workspaceId) for (const path of Object.keys(files)) kept.add(path);
  }
  for (const [id, { files }] of pending) {
    if (id !== workspaceId) for (const path of files) kept.add(path);
  }
  const wasInterrupted = folder.stat(WRITE_JOURNAL) !== undefined;
  const unlisted = (pending.get(workspaceId)?.files ?? []).filter(isPublished);
  // The folder of a content has no other files, unless a write was interrupted: not listed.
  const contentFolders = new Set(wasInterrupted ? [] : paths.map(dirname));
  const skip = (path: string) => contentFolders.has(path);
  const found = [
    ...own,
    ...projectsOf([...own, ...paths]).flatMap((id) =>
      folder.filesBelow(projectFolder(id), { skip }).filter(isPublished),
    ),
    ...unlisted.filter((path) => folder.stat(path)),
  ];
  const removals = [...new Set(found)]
    .filter((path) => !kept.has(path))
    .sort(byCodeUnit)
    .map((path): Removal => {
      const reason = own.has(path) ? "published-before" : "left-behind";
      return { path, action: "remove", reason };
    });
  return { removals, wasInterrupted };
}

/** F1: whether a file of a workspace can have this path. */
function isPublished(path: string): boolean {
  return addressOfFilePath(path) !== undefined || path.startsWith("assets/");
}

function projectsOf(paths: readonly string[]): string[] {
  const configs = paths.filter((path) => path.endsWith("/index.json"));
  return [...new Set(configs.flatMap((path) => addressOfFilePath(path)?.projectId ?? []))];
}
