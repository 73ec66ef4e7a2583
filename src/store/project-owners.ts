import type { Database } from "better-sqlite3";
import { addressOfFilePath, filePath } from "../documents/address.ts";
import { SvcError } from "../workspace/errors.ts";

/**
 * Which workspace has each project, drafted or published: its config, or its id in such a path.
 * CROSS JOIN makes SQLite start with the workspaces, which are few.
 */
const OWNERS = `
  SELECT records.id, workspaces.id FROM workspaces
  CROSS JOIN records ON workspace = workspaces.number AND kind = 'projects'
  WHERE workspaces.number <> :workspace
  UNION ALL
  SELECT path, workspaces.id FROM workspaces
  JOIN versions ON versions.workspace = workspaces.number AND versions.id = current_version
  CROSS JOIN version_documents ON version = versions.number
  WHERE workspaces.number <> :workspace AND path GLOB :config`;

/**
 * I1: finds out whether another workspace has a project of the same id, since project ids are folders
 * below `out/`, which all workspaces of a store share. Letter case makes no difference.
 *
 * @returns a function that throws SvcError `project-taken`.
 */
export function projectOwners(database: Database, workspace: number): (id: string) => void {
  const config = filePath({ kind: "project", projectId: "*" });
  const rows = database
    .prepare<unknown[], [idOrPath: string, owner: string]>(OWNERS)
    .raw()
    .all({ workspace, config });
  const owners = new Map(
    rows.map(([name, owner]) => [
      (addressOfFilePath(name)?.projectId ?? name).toLowerCase(),
      owner,
    ]),
  );
  return (id) => {
    const owner = owners.get(id.toLowerCase());
    if (owner === undefined) return;
    throw new SvcError(
      "project-taken",
      `the project id "${id}" belongs to the workspace "${owner}" of this store`,
      { hint: "choose another id (one that differs in more than letter case), or another store" },
    );
  };
}
