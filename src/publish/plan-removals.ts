import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { addressOfFilePath, projectFolder } from "../documents/address.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { Manifest } from "./manifest.ts";
import { isTemporary, type OutFolder } from "./out-folder.ts";
import { readPendingWrites, WRITE_JOURNAL } from "./write-journal.ts";

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
  folder: OutFolder,
  { workspaces }: Manifest,
  workspaceId: string,
  paths: readonly string[],
): { removals: Removal[]; wasInterrupted: boolean } {
  const pending = readPendingWrites(folder.path);
  const own = Object.keys(workspaces[workspaceId]?.files ?? {});
  const kept = new Set([
    ...paths,
    ...Object.entries(workspaces).flatMap(([id, other]) =>
      id === workspaceId ? [] : Object.keys(other.files),
    ),
    ...[...pending].flatMap(([id, other]) => (id === workspaceId ? [] : other.files)),
  ]);
  const temporary = folder.filesDirectlyIn("").filter(isTemporary);
  const wasInterrupted = temporary.length > 0 || existsSync(join(folder.path, WRITE_JOURNAL));
  const unlisted = (pending.get(workspaceId)?.files ?? []).filter(isPublished);
  // The folder of a content has no other files, unless a write was interrupted: not listed.
  const contentFolders = new Set(wasInterrupted ? [] : paths.map(dirname));
  const skip = (path: string) => contentFolders.has(path);
  const found = new Set([
    ...projectsOf([...own, ...paths]).flatMap((id) =>
      folder
        .filesBelow(projectFolder(id), { skip })
        .filter((path) => isPublished(path) || isTemporary(path)),
    ),
    ...unlisted.filter((path) => existsSync(join(folder.path, path))),
    ...(wasInterrupted ? folder.filesBelow("").filter(isTemporary) : []),
  ]);
  const published = new Set(own);
  const removals = [...new Set([...own, ...found])]
    .filter((path) => !kept.has(path))
    .sort(byCodeUnit)
    .map((path): Removal => {
      const reason = published.has(path) ? "published-before" : "left-behind";
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
