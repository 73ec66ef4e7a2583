import type { Database, Statement, Transaction } from "better-sqlite3";
import { Texts } from "../documents/texts.ts";
import { sha256 } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import type { WorkspaceSource } from "../workspace/source.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { type Reuse, StoredDraft } from "./draft-reader.ts";
import { type Imported, replaceDraft } from "./draft-writer.ts";
import { checkIdentity, fileIdentity } from "./file-identity.ts";
import { History } from "./history.ts";
import { BUSY_TIMEOUT, openDatabase } from "./open-database.ts";
import { OutStates } from "./out-states.ts";
import { Packs } from "./packs.ts";
import { Renderings } from "./renderings.ts";
import { damaged, storeError } from "./store-error.ts";
import { Tokens } from "./tokens.ts";
import { deleteUnusedFiles } from "./unused-files.ts";
import { unusedPacks } from "./unused-packs.ts";
import { Versions } from "./versions.ts";

const DRAFT_TABLES = ["workspaces", "records", "entries", "assets", "draft_files", "files"];

/**
 * Opens a store, or makes it.
 *
 * @throws SvcError with the codes of `store-error.ts` and `open-database.ts`.
 */
export function openStore(file: string, options: { create?: boolean } = {}): Store {
  const database = openDatabase(file, options.create ?? false);
  try {
    return new Store(database, file);
  } catch (error) {
    database.close();
    throw storeError(error, file);
  }
}

/** One SQLite file with workspaces, their drafts, versions and tokens. */
export class Store {
  readonly file: string;
  /** Which file was opened; whatever replaces it under its name has another. */
  readonly identity: string | undefined;
  readonly versions: Versions;
  readonly history: History;
  readonly tokens: Tokens;
  readonly packs: Packs;
  readonly renderings: Renderings;
  readonly outStates: OutStates;
  readonly #database: Database;
  #texts: Texts | undefined;
  readonly #othersChanges: Statement<unknown[], number>;
  readonly #ownChanges: Statement<unknown[], number>;
  readonly #ofProject: Statement<unknown[], WorkspaceRow>;
  readonly #transact: Transaction<(work: () => unknown) => unknown>;

  constructor(database: Database, file: string) {
    this.#database = database;
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
    this.packs = new Packs(database);
    this.renderings = new Renderings(database);
    this.outStates = new OutStates(database);
  }

  close(): void {
    this.#database.close();
  }

  /**
   * Another text after each change of the store, whoever made it. Telling it costs a fraction of
   * what reading the smallest row does, and it is not to be asked for within `read` or `write`.
   */
  get changeMark(): string {
    try {
      return `${this.#othersChanges.get()} ${this.#ownChanges.get()}`;
    } catch (error) {
      throw storeError(error, this.file);
    }
  }

  /**
   * SQLite goes on with a file that was moved away or deleted, while others open what is there now.
   *
   * @throws SvcError `store-replaced`.
   */
  checkInPlace(): void {
    checkIdentity(this.file, this.identity);
  }

  /** Runs `work` in one read transaction: it sees one state, whatever others write meanwhile. */
  read<T>(work: () => T): T {
    return this.#transaction(work, "deferred");
  }

  /** Runs `work` in one write transaction: all of its changes are kept, or none if it throws. */
  write<T>(work: () => T): T {
    return this.#transaction(work, "immediate");
  }

  /**
   * As `write` where the store can be written now, else as `read`: for what need not be kept. `work`
   * hears which it is.
   */
  writeOrRead<T>(work: (isKept: boolean) => T): T {
    const wait = (milliseconds: number) => this.#database.pragma(`busy_timeout = ${milliseconds}`);
    let isBegun = false;
    wait(0);
    try {
      return this.write(() => {
        isBegun = true;
        wait(BUSY_TIMEOUT);
        return work(true);
      });
    } catch (error) {
      if (isBegun || !(error instanceof SvcError)) throw error;
    } finally {
      wait(BUSY_TIMEOUT);
    }
    return this.read(() => work(false));
  }

  /** Deletes the texts that neither a document nor what a draft was rendered to uses. */
  deleteUnusedTexts(): void {
    const workspaces = this.workspaces().map(({ number }) => number);
    this.packs.delete(unusedPacks(workspaces, this));
  }

  /**
   * A spoiled page, of an index too, can make rows vanish without any error: a draft is looked at
   * before it is published (about 0.1 s for 100,000 entries). Versions are compared with their ids
   * (R1).
   *
   * @throws SvcError `store-damaged`.
   */
  checkWhole(): void {
    for (const table of DRAFT_TABLES) {
      const found = this.read(() =>
        this.#database.pragma(`quick_check(${table})`, { simple: true }),
      );
      if (found !== "ok") throw damaged(String(found));
    }
  }

  /** Every workspace, in order of the ids. */
  workspaces(): WorkspaceRow[] {
    return this.#database
      .prepare<unknown[], WorkspaceRow>("SELECT number, id, revision FROM workspaces ORDER BY id")
      .all();
  }

  /**
   * The workspace with this id, or the only one.
   *
   * @throws SvcError when there is none such, or when several are and none is named.
   */
  workspace(id: string | undefined): WorkspaceRow {
    const all = this.workspaces();
    const [first, ...others] = id === undefined ? all : all.filter((row) => row.id === id);
    if (first !== undefined && others.length === 0) return first;
    const known = all.map((row) => `"${row.id}"`).join(", ") || "none";
    if (first === undefined) {
      throw new SvcError(
        "workspace-not-found",
        id === undefined
          ? `the store "${this.file}" has no workspace`
          : `the store "${this.file}" has no workspace "${id}"`,
        { hint: `svc import <folder> loads one; the store's workspaces: ${known}` },
      );
    }
    throw new SvcError("workspace-ambiguous", `the store "${this.file}" has several workspaces`, {
      hint: `name one with --workspace: ${known}`,
    });
  }

  /** The workspace whose draft has this project. */
  workspaceOfProject(projectId: string): WorkspaceRow | undefined {
    return this.#ofProject.get(projectId);
  }

  /**
   * The draft of a workspace. Read it within one `read` or `write`.
   *
   * @param reuse an earlier state of the same draft, which spares parsing what is unchanged.
   */
  draft({ number }: WorkspaceRow, reuse?: Reuse): StoredDraft {
    return new StoredDraft(this.#database, number, reuse);
  }

  /** The texts of the store, as they are in this transaction. */
  openTexts(): Texts {
    this.#texts ??= new Texts(this.packs);
    this.#texts.forgetIndex();
    return this.#texts;
  }

  /** Replaces a workspace's whole draft in one transaction, or changes nothing. */
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
    const row = this.#database
      .prepare<unknown[], { sha256: string; bytes: Uint8Array }>(
        `SELECT sha256, bytes FROM workspaces
         CROSS JOIN draft_files ON workspace = workspaces.number AND path = ?
         JOIN files USING (sha256) LIMIT 1`,
      )
      .get(path);
    if (row !== undefined && sha256(row.bytes) !== row.sha256) throw damaged(`the file "${path}"`);
    return row?.bytes;
  }

  #transaction<T>(work: () => T, mode: "deferred" | "immediate"): T {
    try {
      return this.#transact[mode](work) as T;
    } catch (error) {
      // Some of them may have been added by what is undone now.
      this.#texts = undefined;
      throw storeError(error, this.file);
    }
  }
}
