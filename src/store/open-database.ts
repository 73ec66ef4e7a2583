import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { SvcError } from "../workspace/errors.ts";
import { migrate, STORE_VERSION } from "./migrations.ts";
import { storeError } from "./store-error.ts";

/** "svc1": marks an SQLite file as a store of this program. */
const APPLICATION_ID = 0x73766331;

/** How long a command waits for another that writes to the store, in milliseconds. */
export const BUSY_TIMEOUT = 5000;

/**
 * Opens the store's file and brings it to the newest form.
 *
 * @throws SvcError when the file is missing (and not to be created), is not a store, is of a
 *   newer program, or cannot be read or written.
 */
export function openDatabase(file: string, create: boolean): Database.Database {
  if (file === "" || file.trim() !== file) {
    const message = `"${file}" is no name of a store's file: it is empty, or has outer white space`;
    throw new SvcError("store-not-found", message, {
      hint: "name its file with --store or SVC_STORE",
    });
  }
  const isNew = isEmptyFile(file);
  if (isNew && !create) {
    throw new SvcError("store-not-found", `there is no store at "${file}"`, {
      hint: "svc import <folder> makes one; --store or SVC_STORE names another file",
    });
  }
  try {
    return prepare(new Database(file, { timeout: BUSY_TIMEOUT }), file, isNew);
  } catch (error) {
    if (error instanceof TypeError && !existsSync(dirname(file))) {
      throw new SvcError("store-not-found", `the folder "${dirname(file)}" does not exist`, {
        hint: "make the folder first, or name another file with --store or SVC_STORE",
      });
    }
    throw storeError(error, file);
  }
}

function isEmptyFile(file: string): boolean {
  if (file === ":memory:") return true;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined || (stats.isFile() && stats.size === 0);
}

function prepare(database: Database.Database, file: string, isNew: boolean): Database.Database {
  try {
    if (isNew) database.pragma(`application_id = ${APPLICATION_ID}`);
    else refuseForeign(database, file);
    database.pragma("journal_mode = WAL");
    // A commit is what everything else rests on, so it outlasts a power failure. It is one a command.
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    // Pages are at hand in the cache of the file system; here they would be memory only.
    database.pragma("cache_size = -2000");
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function refuseForeign(database: Database.Database, file: string): void {
  if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
    throw new SvcError("store-foreign", `"${file}" is an SQLite file of another program`, {
      hint: "name the store's file with --store or SVC_STORE",
    });
  }
  const version = database.pragma("user_version", { simple: true }) as number;
  if (version > STORE_VERSION) {
    throw new SvcError(
      "store-newer",
      `the store "${file}" is of form ${version}; this program knows forms up to ${STORE_VERSION}`,
      { hint: "use a newer release of svc" },
    );
  }
}
