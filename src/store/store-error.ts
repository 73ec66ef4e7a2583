import Database from "better-sqlite3";
import type { ErrorCode } from "../workspace/error-codes.ts";
import { SvcError } from "../workspace/errors.ts";

const MEANINGS: readonly Readonly<{
  sqlite: readonly string[];
  code: ErrorCode;
  says: string;
  hint: string;
}>[] = [
  {
    sqlite: ["SQLITE_BUSY", "SQLITE_LOCKED"],
    code: "store-locked",
    says: "is in use by another process",
    hint: "wait for the other command to finish, then try again",
  },
  {
    sqlite: ["SQLITE_NOTADB"],
    code: "store-not-sqlite",
    says: "is not an SQLite file",
    hint: "name the store's file with --store or SVC_STORE",
  },
  {
    sqlite: ["SQLITE_CORRUPT"],
    code: "store-damaged",
    says: "is damaged",
    hint: "restore it from a backup, or import the workspace folder into a new store",
  },
  {
    sqlite: ["SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH"],
    code: "store-unwritable",
    says: "cannot be opened or written",
    hint: "check that it is a file, and that you may write to it and to its folder",
  },
  {
    // SHMSIZE: no room for the shared memory file.
    sqlite: ["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"],
    code: "disk-full",
    says: "cannot grow: the disk is full",
    hint: "make room and try again; the store is unchanged",
  },
  {
    sqlite: ["SQLITE_IOERR"],
    code: "store-unreadable",
    says: "cannot be read or written",
    hint: "check the disk; the store is unchanged",
  },
];

/** The SvcError for an error of SQLite; other errors are returned unchanged. */
export function storeError(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code, message } = error;
  const meaning = MEANINGS.find(({ sqlite }) =>
    sqlite.some((known) => code === known || code.startsWith(`${known}_`)),
  );
  // Our statements fail for other reasons only if the store is damaged.
  if (meaning === undefined) return damaged(`${message} (${code})`, error);
  return new SvcError(meaning.code, `the store "${file}" ${meaning.says} (${message})`, {
    hint: meaning.hint,
    cause: error,
  });
}

/** The error for data in the store that is not what was written. */
export function damaged(what: string, cause?: unknown): SvcError {
  return new SvcError("store-damaged", `the store is damaged: ${what}`, {
    hint: "restore it from a backup, or import the workspace folder into a new store",
    cause,
  });
}
