import type { Database } from "better-sqlite3";
import type { Problem } from "../workspace/problem.ts";
import { rowCheck } from "./row-check.ts";

/** What a workspace's draft was rendered to last. */
export interface LastRendering {
  /** Tells programs apart that may render differently. */
  readonly program: string;
  readonly versionId: string;
  /** All problems of the draft. */
  readonly problems: readonly Problem[];
}

/** More changed entries, or problems, are not written down: then all is rendered anew. */
const MOST = 10_000;

interface Row {
  readonly program: string;
  readonly version: string;
  readonly problems: string;
  readonly changed: string;
  readonly row_check: number;
}

/**
 * What the drafts of the store were rendered to last, and which entries have changed since. It is
 * a shortcut: where it is missing or spoiled, a publish renders all.
 */
export class LastRenderings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The last rendering with the ids of the entries whose data changed since, and nothing else did;
   * undefined when it is not known, or was another program's.
   */
  find(
    workspace: number,
    program: string,
  ): (LastRendering & { readonly changed: readonly string[] }) | undefined {
    const row = this.#row(workspace);
    if (row === undefined || row.program !== program) return undefined;
    return {
      program,
      versionId: row.version,
      problems: JSON.parse(row.problems),
      changed: JSON.parse(row.changed),
    };
  }

  keep(workspace: number, { program, versionId, problems }: LastRendering): void {
    if (problems.length > MOST) this.forget(workspace);
    else this.#put(workspace, program, versionId, JSON.stringify(problems), "[]");
  }

  forget(workspace: number): void {
    this.#database.prepare("DELETE FROM last_renderings WHERE workspace = ?").run(workspace);
  }

  /** Of all workspaces but this one. */
  forgetOthers(workspace: number): void {
    this.#database.prepare("DELETE FROM last_renderings WHERE workspace <> ?").run(workspace);
  }

  /** The data of these entries has changed, and nothing else. */
  change(workspace: number, entryIds: Iterable<string>): void {
    const row = this.#row(workspace);
    const changed = row && [...new Set([...JSON.parse(row.changed), ...entryIds])].sort();
    if (row === undefined || changed === undefined || changed.length > MOST) {
      this.forget(workspace);
    } else {
      this.#put(workspace, row.program, row.version, row.problems, JSON.stringify(changed));
    }
  }

  #row(workspace: number): Row | undefined {
    const row = this.#database
      .prepare<unknown[], Row>(
        `SELECT program, version, problems, changed, row_check FROM last_renderings
         WHERE workspace = ?`,
      )
      .get(workspace);
    if (row === undefined) return undefined;
    const { program, version, problems, changed } = row;
    return row.row_check === rowCheck(program, version, problems, changed) ? row : undefined;
  }

  #put(workspace: number, ...texts: [string, string, string, string]): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO last_renderings
         (workspace, program, version, problems, changed, row_check) VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(workspace, ...texts, rowCheck(...texts));
  }
}
