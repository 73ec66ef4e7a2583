import Database from "better-sqlite3";

/** What only spares work, and texts under whatever numbers: they may differ between two stores that are the same. */
const SHORTCUTS = ["renderings", "packs", "sqlite_sequence", "out_states"];

/**
 * Every row of every table of a store as JSON, but for shortcuts, read through a connection of its
 * own.
 */
export function storeRows(file: string): Record<string, string[]> {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database
      .prepare<unknown[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all()
      .filter((table) => !SHORTCUTS.includes(table));
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
