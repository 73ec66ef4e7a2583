import { statSync } from "node:fs";
import type { Database, Statement, Transaction } from "better-sqlite3";
import { sha256 } from "../documents/version-id.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import { isId } from "../workspace/ids.ts";
import type { WorkspaceSource } from "../workspace/source.ts";
import { deleteUnusedFiles, History } from "./history.ts";
import { openDatabase, setReadOnly } from "./open-database.ts";
import { Outcomes } from "./outcomes.ts";
import { rowIn, rowsIn } from "./query.ts";
import { type Imported, replaceDraft } from "./replace-draft.ts";
import { damaged, storeError } from "./store-error.ts";
import { StoredDraft } from "./stored-draft.ts";
import { Tokens } from "./tokens.ts";
import { Versions } from "./versions.ts";

const DRAFT_TABLES = ["workspaces", "records", "entries", "assets", "draft_files", "files"];

/**
 * Opens a store, or makes it.
 *
 * @param options `copy`: a copy of it, which is read in its place.
 * @throws SvcError with the codes of `store-error.ts` and `open-database.ts`.
 */
export function openStore(
  file: string,
  { create = false, copy }: { create?: boolean; copy?: string } = {},
): Store {
  const database = openDatabase(file, create, copy);
  try {
    return new Store(database, file, copy !== undefined);
  } catch (error) {
    database.close();
    throw storeError(error, file);
  }
}

/** Changes when another file gets this name, not when the file is written; undefined: no file. */
function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** @throws SvcError `store-replaced` when the store's name no longer names the file that was opened. */
export function checkIdentity(file: string, opened: string | undefined): void {
  if (fileIdentity(file) === opened) return;
  throw new SvcError("store-replaced", `the store "${file}" was replaced or removed`, {
    hint: "put it back, or start the preview again",
  });
}

/** An SQLite file with workspaces, their drafts, versions and tokens. */
export class Store {
  readonly source = "store";
  readonly file: string;
  /** Of the file that was opened. */
  readonly identity: string | undefined;
  readonly versions: Versions;
  readonly history: History;
  readonly tokens: Tokens;
  readonly outcomes: Outcomes;
  readonly #database: Database;
  readonly #isCopy: boolean;
  readonly #othersChanges: Statement<unknown[], number>;
  readonly #ownChanges: Statement<unknown[], number>;
  readonly #ofProject: Statement<unknown[], WorkspaceRow>;
  readonly #transact: Transaction<(work: () => unknown) => unknown>;

  constructor(database: Database, file: string, isCopy = false) {
    this.#database = database;
    this.#isCopy = isCopy;
    this.#othersChanges = database.prepare<unknown[], number>("PRAGMA data_version").pluck();
    this.#ownChanges = database.prepare<unknown[], number>("SELECT total_changes()").pluck();
    this.#ofProject = database.prepare(
      `SELECT workspaces.number, workspaces.id, workspaces.revision FROM records
       JOIN workspaces ON workspaces.number = workspace
       WHERE kind = 'projects' AND records.id = ?`,
    );
    this.#transact = database.transaction((work: () => unknown) => work());
    this.file = file;
    this.identity = fileIdentity(file);
    this.versions = new Versions(database);
    this.history = new History(database);
    this.tokens = new Tokens(database);
    this.outcomes = new Outcomes(database);
  }

  close(): void {
    this.#database.close();
  }

  /**
   * Changes with every change of the store by any process. Faster than reading the smallest row. Do
   * not use it within `read` or `write`.
   */
  get changeMark(): string {
    try {
      return `${this.#othersChanges.get()} ${this.#ownChanges.get()}`;
    } catch (error) {
      throw storeError(error, this.file);
    }
  }

  /**
   * SQLite keeps using a file that was moved or deleted, while other processes open the new one.
   *
   * @throws SvcError `store-replaced`.
   */
  checkInPlace(): void {
    checkIdentity(this.file, this.identity);
  }

  /** Runs `work` in one read transaction, which sees one state of the store. */
  read<T>(work: () => T): T {
    return this.#transaction(work, "deferred");
  }

  /** Runs `work` in one write transaction, which is rolled back if it throws. */
  write<T>(work: () => T): T {
    return this.#transaction(work, "immediate");
  }

  /** The same, and keeps nothing of it. R9c: so one that cannot be written may do it. */
  attempt<T>(work: () => T): T {
    const rollback = new Error("rollback");
    let result: { value: T } | undefined;
    if (this.#isCopy) setReadOnly(this.#database, false);
    try {
      this.write(() => {
        result = { value: work() };
        throw rollback;
      });
    } catch (error) {
      if (error === rollback && result !== undefined) return result.value;
      throw error;
    } finally {
      if (this.#isCopy) setReadOnly(this.#database, true);
    }
    throw rollback;
  }

  /**
   * Checks the tables of drafts before publishing, since a damaged page can hide rows without an
   * error. Takes about 0.1 s for 100,000 entries. Versions are compared with their ids (R1) instead.
   *
   * @throws SvcError `store-damaged`.
   */
  checkIntegrity(): void {
    for (const table of DRAFT_TABLES) {
      const found = this.read(() =>
        this.#database.pragma(`quick_check(${table})`, { simple: true }),
      );
      if (found !== "ok") throw damaged(String(found));
    }
  }

  /** In order of the ids. */
  workspaces(): WorkspaceRow[] {
    const sql = "SELECT number, id, revision FROM workspaces ORDER BY id";
    const rows = rowsIn<WorkspaceRow>(this.#database, sql);
    const wrong = rows.find(({ id }) => !isId(id));
    if (wrong === undefined) return rows;
    throw damaged(`${JSON.stringify(wrong.id)} is no id of a workspace`);
  }

  /** The workspace with this id, or the only one. */
  workspace(id: string | undefined): WorkspaceRow {
    const all = this.workspaces();
    const [first, ...others] = id === undefined ? all : all.filter((row) => row.id === id);
    if (first !== undefined && others.length === 0) return first;
    const names = all.map((row) => `"${row.id}"`).join(", ") || "none";
    if (first === undefined) {
      const missing = id === undefined ? "no workspace" : `no workspace "${id}"`;
      throw new SvcError("workspace-not-found", `the store "${this.file}" has ${missing}`, {
        hint: `svc import <folder> loads one; the store's workspaces: ${names}`,
      });
    }
    throw new SvcError("workspace-ambiguous", `the store "${this.file}" has several workspaces`, {
      hint: `name one with --workspace: ${names}`,
    });
  }

  /** The workspace whose draft has this project. */
  workspaceOfProject(projectId: string): WorkspaceRow | undefined {
    return this.#ofProject.get(projectId);
  }

  /**
   * The draft of a workspace. Read it within one `read` or `write`.
   *
   * @param earlier another state of the same draft: what did not change is not read again.
   */
  draft({ number }: WorkspaceRow, earlier?: StoredDraft): StoredDraft {
    return new StoredDraft(this.#database, number, earlier);
  }

  /** Replaces a workspace's draft in one transaction. */
  import(source: WorkspaceSource, now: Date): Imported {
    return this.write(() => {
      const imported = replaceDraft(this.#database, source);
      const { number } = this.workspace(imported.workspaceId);
      this.tokens.setFolderToken(number, imported.previewToken, now);
      deleteUnusedFiles(this.#database);
      return imported;
    });
  }

  /** The bytes of an asset of any draft, by the path at which it would be published. */
  draftFile(path: string): Uint8Array | undefined {
    const sql = `SELECT sha256, bytes FROM workspaces
      CROSS JOIN draft_files ON workspace = workspaces.number AND path = ?
      JOIN files USING (sha256) LIMIT 1`;
    const row = rowIn<{ sha256: string; bytes: Uint8Array }>(this.#database, sql, path);
    if (row === undefined) return undefined;
    const isOfPath = path.startsWith(`assets/${row.sha256.slice(0, 16)}/`);
    if (!isOfPath || sha256(row.bytes) !== row.sha256) throw damaged(`the file "${path}"`);
    return row.bytes;
  }

  #transaction<T>(work: () => T, mode: "deferred" | "immediate"): T {
    try {
      return this.#transact[mode](work) as T;
    } catch (error) {
      throw storeError(error, this.file);
    }
  }
}
