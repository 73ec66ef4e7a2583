import Database from "better-sqlite3";

/** A cache. */
const IGNORED = "outcomes";

/** The rows of all tables of a store as JSON, except the cache, read through another connection. */
export function storeRows(file: string): Record<string, string[]> {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database
      .prepare<unknown[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all()
      .filter((table) => table !== IGNORED);
    const rows = (table: string) => database.prepare(`SELECT * FROM "${table}"`).raw().all();
    return Object.fromEntries(tables.map((table) => [table, rows(table).map(toText)]));
  } finally {
    database.close();
  }
}

function toText(row: unknown): string {
  const values = row as readonly unknown[];
  return JSON.stringify(
    values.map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : value)),
  );
}
