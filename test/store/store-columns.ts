import Database from "better-sqlite3";

/** The rows of these columns by table, read through another connection. */
export function rowsOf(file: string, columns: Readonly<Record<string, readonly string[]>>) {
  const database = new Database(file, { readonly: true });
  const rows = Object.entries(columns).map(([table, names]) => {
    const list = names.map((name) => `"${name}"`).join(", ");
    return [table, database.prepare(`SELECT ${list} FROM "${table}" ORDER BY ${list}`).raw().all()];
  });
  database.close();
  return Object.fromEntries(rows) as Record<string, unknown[][]>;
}

/** The names of the columns of every table. */
export function columnsOf(file: string): Record<string, string[]> {
  const database = new Database(file, { readonly: true });
  const tables = database
    .prepare<unknown[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
  const columns = (table: string) =>
    database.prepare<unknown[], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  const found = Object.fromEntries(tables.map((table) => [table, columns(table)]));
  database.close();
  return found;
}
