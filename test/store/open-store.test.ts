import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import { SCHEMA_VERSION } from "../../src/store/schema.ts";
import { openStore } from "../../src/store/store.ts";
import { entriesInOrder } from "../../src/workspace/draft.ts";
import { bytesBelow, foldersBelow } from "../support/file-tree.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** SQLite flushes each commit, also in WAL mode. */
const FULL_SYNCHRONOUS = 2;

function runSql(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

/** A store of another schema version, in one file. */
function storeOf(file: string, version: number): void {
  openStore(file, { create: true }).close();
  runSql(file, `PRAGMA user_version = ${version}; PRAGMA journal_mode = DELETE`);
}

function refusal(code: string, file: string) {
  const message = expect.stringContaining(`"${file}"`);
  return expect.objectContaining({ name: "SvcError", code, message, hint: expect.any(String) });
}

/** Files that are not stores, and the error code of each. */
const WRONG: readonly [what: string, code: string, make: (file: string) => void][] = [
  ["a text file", "store-not-sqlite", (file) => writeFileSync(file, "notes, ".repeat(999))],
  [
    "another program's SQLite file",
    "store-foreign",
    (file) => runSql(file, "CREATE TABLE notes (text TEXT)"),
  ],
  [
    "another program's SQLite file with an application id and a user version",
    "store-foreign",
    (file) => runSql(file, "PRAGMA application_id = 7; PRAGMA user_version = 1"),
  ],
  ["the store of a newer program", "store-newer", (file) => storeOf(file, SCHEMA_VERSION + 1)],
  ["the store of an older program", "store-older", (file) => storeOf(file, SCHEMA_VERSION - 1)],
  ["a folder", "store-unwritable", (file) => mkdirSync(file)],
];

describe("opening a store", () => {
  it("R5: a commit is on the disk before out/ is written, and rows refer to rows that exist", () => {
    const file = join(temporaryFolder(), "notes.db");
    for (const create of [true, false]) {
      const database = openDatabase(file, create);
      const pragma = (name: string) => database.pragma(name, { simple: true });
      expect(["journal_mode", "synchronous", "foreign_keys"].map(pragma)).toEqual([
        "wal",
        FULL_SYNCHRONOUS,
        1,
      ]);
      database.close();
    }
  });

  it.each(WRONG)("R9: refuses %s, and does not change it", (_what, code, make) => {
    const folder = temporaryFolder();
    const file = join(folder, "notes.db");
    make(file);
    const before = [bytesBelow(folder), foldersBelow(folder)];
    for (const create of [false, true]) {
      expect(() => openStore(file, { create })).toThrow(refusal(code, file));
    }
    expect([bytesBelow(folder), foldersBelow(folder)]).toEqual(before);
  });

  it("refuses a store with other tables", () => {
    const file = join(temporaryFolder(), "notes.db");
    openStore(file, { create: true }).close();
    runSql(file, "ALTER TABLE documents RENAME COLUMN size TO length");
    expect(() => openStore(file)).toThrow(expect.objectContaining({ code: "store-damaged" }));
  });

  it("R9: opens a store after ANALYZE and beside Litestream, whose tables are to the letter those that it makes", () => {
    const bed = new TestBed(smallWorkspace());
    const { file } = bed.store;
    runSql(file, "ANALYZE");
    runSql(file, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
    runSql(file, "CREATE TABLE _litestream_lock (id INTEGER)");
    openStore(file).close();
    expect(bed.publish().problems).toEqual([]);
    const database = new Database(file).unsafeMode();
    database.pragma("writable_schema = ON");
    database.exec("UPDATE sqlite_master SET sql = replace(sql, 'stat)', 'stat, more)')");
    database.close();
    expect(() => openStore(file)).toThrow(expect.objectContaining({ code: "store-damaged" }));
  });

  it("refuses a store whose pages are damaged", () => {
    const bed = new TestBed(smallWorkspace());
    bed.store.close();
    const file = join(bed.folder, "workspace.db");
    const bytes = Buffer.from(bytesBelow(bed.folder)["workspace.db"] ?? "", "latin1");
    writeFileSync(file, bytes.fill("?", 4096));
    expect(() => openStore(file)).toThrow(refusal("store-damaged", file));
  });

  it("makes a missing store only with the option `create`", () => {
    const folder = temporaryFolder();
    const file = join(folder, "workspace.db");
    expect(() => openStore(file)).toThrow(refusal("store-not-found", file));
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file, "");
    expect(() => openStore(file)).toThrow(refusal("store-not-found", file));
    openStore(file, { create: true }).close();
    expect(openStore(file).workspaces()).toEqual([]);
  });

  it("refuses a path whose folder is missing, or is a file", () => {
    const folder = temporaryFolder();
    const options = { create: true };
    const missing = join(folder, "missing");
    expect(() => openStore(join(missing, "workspace.db"), options)).toThrow(
      refusal("store-not-found", missing),
    );
    const file = join(folder, "file");
    writeFileSync(file, "");
    const below = join(file, "workspace.db");
    expect(() => openStore(below, options)).toThrow(refusal("store-unwritable", below));
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("refuses an empty path, for which SQLite makes a temporary database", () => {
    expect(() => openStore("", { create: true })).toThrow();
  });
});

describe("a store", () => {
  it("has an application id, a schema version, and is in WAL mode", () => {
    const { store } = new TestBed();
    const database = new Database(store.file, { readonly: true });
    const pragma = (name: string) => database.pragma(name, { simple: true });
    const id = Buffer.alloc(4);
    id.writeUInt32BE(pragma("application_id") as number);
    expect(id.toString()).toBe("svc1");
    expect(pragma("user_version")).toBe(SCHEMA_VERSION);
    expect(pragma("journal_mode")).toBe("wal");
    database.close();
  });

  it("enforces foreign keys: no row can belong to a missing workspace", () => {
    const { store } = new TestBed();
    const now = new Date();
    expect(() => store.tokens.create(7, { name: "of nobody", createdAt: now })).toThrow(
      /FOREIGN KEY/,
    );
  });

  it("is unchanged when it is opened again", () => {
    const bed = new TestBed(smallWorkspace());
    const again = openStore(bed.store.file);
    expect(again.workspaces()).toEqual(bed.store.workspaces());
    const draft = again.draft(again.workspace("w"));
    expect([...entriesInOrder(draft)]).toEqual([
      { id: "home", modelId: "m-page", data: { title: "Home" } },
    ]);
    again.close();
  });
});
