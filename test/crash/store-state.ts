import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { openStore } from "../../src/store/store.ts";

/** The state of a store with one workspace. */
export interface StoreState {
  /** A hash of every row of the draft. */
  readonly draft: string;
  readonly current: string | undefined;
  /** Newest first. */
  readonly versions: readonly string[];
  /** Newest first: action and version. */
  readonly journal: readonly string[];
}

const DRAFT_TABLES = ["records", "entries", "assets", "draft_files"];

/** Queries that must find nothing. */
const ORPHANS = [
  "SELECT sha256 FROM documents WHERE number NOT IN (SELECT document FROM version_documents)",
  `SELECT sha256 FROM files WHERE sha256 NOT IN (SELECT sha256 FROM draft_files)
   AND sha256 NOT IN (SELECT sha256 FROM version_files)`,
];

/** Opens the store as the program does. Fails when it is inconsistent. */
export function storeState(file: string): StoreState {
  const store = openStore(file);
  try {
    const workspace = store.workspace(undefined);
    const versions = store.history.list(workspace.number).map(({ versionId }) => versionId);
    // Throws unless the documents match the version id.
    for (const version of versions) store.versions.contents(workspace.number, version);
    const journal = store.history.journal(workspace.number).map((one) => `${one.action} ${one.to}`);
    const current = store.history.current(workspace.number);
    return { draft: inspect(file), current, versions, journal };
  } finally {
    store.close();
  }
}

/** Checks the database and returns a hash of the draft. */
function inspect(file: string): string {
  const database = new Database(file);
  try {
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(database.pragma("foreign_key_check")).toEqual([]);
    for (const orphans of ORPHANS) expect(database.prepare(orphans).all()).toEqual([]);
    const hash = createHash("sha256");
    hash.update(database.prepare("SELECT settings FROM workspaces").pluck().get() as string);
    for (const table of DRAFT_TABLES) {
      const columns = meaningful(database, table);
      const rows = database.prepare(`SELECT ${columns} FROM ${table} ORDER BY ${columns}`).raw();
      for (const row of rows.iterate()) hash.update(JSON.stringify(row));
    }
    return hash.digest("hex");
  } finally {
    database.close();
  }
}

/** The columns of a table, without numbers and revisions. */
function meaningful(database: Database.Database, table: string): string {
  return database
    .prepare<unknown[], string>("SELECT name FROM pragma_table_info(?)")
    .pluck()
    .all(table)
    .filter((name) => name !== "number" && name !== "revision")
    .join(", ");
}

/** R2, R3: the state after publishing a draft with this version. */
export function published(before: StoreState, version: string, keep: number): StoreState {
  const { draft, versions, journal } = before;
  const isNew = before.current !== version;
  const action = versions.includes(version) ? "republish" : "publish";
  const ordered = isNew ? [version, ...versions.filter((one) => one !== version)] : versions;
  const lines = isNew ? [`${action} ${version}`, ...journal] : journal;
  // Those that were current last are kept.
  const lastCurrent = new Set([version, ...lines.map((line) => line.split(" ")[1] ?? "")]);
  const kept = [...lastCurrent].filter((one) => ordered.includes(one)).slice(0, keep);
  return {
    draft,
    current: version,
    versions: ordered.filter((one) => kept.includes(one)),
    journal: lines,
  };
}

/** The state after a rollback to this version. */
export function rolledBack(before: StoreState, version: string): StoreState {
  if (before.current === version) return before;
  const journal = [`rollback ${version}`, ...before.journal];
  return { ...before, current: version, journal };
}
