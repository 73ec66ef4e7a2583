import type { Database } from "better-sqlite3";
import { addressOfFilePath, filePath } from "../documents/address.ts";
import { SvcError } from "../workspace/errors.ts";

/**
 * The project ids that the other workspaces of the store have, in their drafts or published now.
 * I1: they become folders below `out/`, where all workspaces of a store meet.
 */
export class TakenProjects {
  readonly #database: Database;
  readonly #workspace: number;
  /** The ids of the workspaces by those of their projects in lower case. */
  #owners: ReadonlyMap<string, string> | undefined;

  constructor(database: Database, workspace: number) {
    this.#database = database;
    this.#workspace = workspace;
  }

  /** @throws SvcError when another workspace has a project with this id. */
  refuse(id: string): void {
    this.#owners ??= new Map([...this.#drafted(), ...this.#published()]);
    const owner = this.#owners.get(id.toLowerCase());
    if (owner === undefined) return;
    throw new SvcError(
      "project-taken",
      `the project id "${id}" belongs to the workspace "${owner}" of this store`,
      { hint: "choose another id (one that differs in more than letter case), or another store" },
    );
  }

  // CROSS JOIN keeps SQLite to this order: from the few workspaces to what is theirs.
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
