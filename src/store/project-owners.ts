import type { Database } from "better-sqlite3";
import { addressOfFilePath, filePath } from "../documents/address.ts";
import { SvcError } from "../workspace/errors.ts";

/**
 * I1: the project ids of the other workspaces, drafted or published. Project ids are folders below
 * `out/`, which all workspaces of a store share.
 */
export class ProjectOwners {
  readonly #database: Database;
  readonly #workspace: number;
  /** Workspace ids by project id in lower case. */
  #owners: ReadonlyMap<string, string> | undefined;

  constructor(database: Database, workspace: number) {
    this.#database = database;
    this.#workspace = workspace;
  }

  /** @throws SvcError `project-taken` when another workspace has a project with this id. */
  assertFree(id: string): void {
    this.#owners ??= new Map([...this.#drafted(), ...this.#published()]);
    const owner = this.#owners.get(id.toLowerCase());
    if (owner === undefined) return;
    throw new SvcError(
      "project-taken",
      `the project id "${id}" belongs to the workspace "${owner}" of this store`,
      { hint: "choose another id (one that differs in more than letter case), or another store" },
    );
  }

  // CROSS JOIN makes SQLite start with the workspaces, which are few.
  #drafted(): [id: string, owner: string][] {
    return this.#database
      .prepare<unknown[], [string, string]>(
        `SELECT lower(records.id), workspaces.id FROM workspaces
         CROSS JOIN records ON workspace = workspaces.number AND kind = 'projects'
         WHERE workspaces.number <> ?`,
      )
      .raw()
      .all(this.#workspace);
  }

  #published(): [id: string, owner: string][] {
    return this.#database
      .prepare<unknown[], [string, string]>(
        `SELECT path, workspaces.id FROM workspaces
         JOIN versions ON versions.workspace = workspaces.number AND versions.id = current_version
         CROSS JOIN version_documents ON version = versions.number
         JOIN documents ON documents.number = document
         WHERE workspaces.number <> ? AND path GLOB ?`,
      )
      .raw()
      .all(this.#workspace, filePath({ kind: "project", projectId: "*" }))
      .map(([path, owner]) => [addressOfFilePath(path)?.projectId.toLowerCase() ?? "", owner]);
  }
}
