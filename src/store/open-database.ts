import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { SvcError } from "../workspace/errors.ts";
import { hasOwnSchema, makeTables, SCHEMA_VERSION } from "./schema.ts";
import { damaged, storeError } from "./store-error.ts";

/** "svc1": marks an SQLite file as a store. */
const APPLICATION_ID = 0x73766331;

/** How long to wait for another process that writes to the store, in milliseconds. */
export const BUSY_TIMEOUT = 5000;

/** Loads SQLite itself, which otherwise the first store that is opened does. */
export function loadSqlite(): void {
  new Database(":memory:").close();
}

/**
 * Opens a store, or makes it.
 *
 * @param copy a copy of it, which is read in its place.
 * @throws SvcError `store-not-found`, `store-foreign`, `store-newer`, `store-older`, and those of
 *   `storeError`.
 */
export function openDatabase(file: string, create: boolean, copy?: string): Database.Database {
  assertStoreName(file);
  const isNew = isEmptyFile(file);
  if (isNew && !create) {
    throw new SvcError("store-not-found", `there is no store at "${file}"`, {
      hint: existsSync(file)
        ? "the file is empty: delete it, then svc import <folder> makes a store"
        : "svc import <folder> makes one (svc publish <folder> keeps none); --store or SVC_STORE names another",
    });
  }
  if (isNew && file !== ":memory:") makePrivate(file);
  try {
    const database = new Database(copy ?? file, { timeout: BUSY_TIMEOUT });
    prepare(database, file, isNew);
    if (copy !== undefined) setReadOnly(database, true);
    return database;
  } catch (error) {
    if (error instanceof TypeError && !existsSync(dirname(file))) {
      throw new SvcError("store-not-found", `the folder "${dirname(file)}" does not exist`, {
        hint: "make the folder first, or name another file with --store or SVC_STORE",
      });
    }
    throw storeError(error, file);
  }
}

export function assertStoreName(file: string): void {
  if (file !== "" && file.trim() === file) return;
  const message = `"${file}" cannot be the name of a store: it is empty or has outer white space`;
  throw new SvcError("store-not-found", message, {
    hint: "name the store with --store or SVC_STORE",
  });
}

function isEmptyFile(file: string): boolean {
  if (file === ":memory:") return true;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined || (stats.isFile() && stats.size === 0);
}

/** R9a: before the first byte, also of the files that SQLite makes beside it. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", PRIVATE));
  } catch {
    // It is there and empty, or SQLite says why it cannot be made.
  }
}

/** The mode of a store and of what is made of it: drafts and hashes of tokens are in it. */
export const PRIVATE = 0o600;

/** R9c: whether what would change it is refused. */
export function setReadOnly(database: Database.Database, isReadOnly: boolean): void {
  database.pragma(`query_only = ${isReadOnly}`);
}

function prepare(database: Database.Database, file: string, isNew: boolean): void {
  try {
    // R9: SQLite's own advice for a file that anyone may have made.
    database.pragma("trusted_schema = OFF");
    database.pragma("cell_size_check = ON");
    if (isNew) database.pragma(`application_id = ${APPLICATION_ID}`);
    else assertSupported(database, file);
    database.pragma("journal_mode = WAL");
    // A commit must survive a power failure: out/ is written only after it.
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    // The file system caches pages already.
    database.pragma("cache_size = -2000");
    makeTables(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function assertSupported(database: Database.Database, file: string): void {
  if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
    throw new SvcError("store-foreign", `"${file}" is an SQLite file of another program`, {
      hint: "name the store's file with --store or SVC_STORE",
    });
  }
  const version = database.pragma("user_version", { simple: true }) as number;
  // Zero: another process is making it.
  if (version === 0) return;
  if (version === SCHEMA_VERSION) {
    if (hasOwnSchema(database)) return;
    throw damaged(`"${file}" has other tables than svc makes, or triggers or views`);
  }
  const isNewer = version > SCHEMA_VERSION;
  throw new SvcError(
    isNewer ? "store-newer" : "store-older",
    `the store "${file}" has schema version ${version}, and this program supports only ${SCHEMA_VERSION}`,
    {
      hint: isNewer
        ? "use a newer release of svc"
        : "delete the file and make it again with svc import, or use the release of svc that made it",
    },
  );
}
