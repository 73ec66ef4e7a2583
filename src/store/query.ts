import type { Database } from "better-sqlite3";

/** The rows of a query. */
export function rowsIn<T>(database: Database, sql: string, ...values: readonly unknown[]): T[] {
  return database.prepare<unknown[], T>(sql).all(...values);
}

/** The first row; undefined: there is none. */
export function rowIn<T>(
  database: Database,
  sql: string,
  ...values: readonly unknown[]
): T | undefined {
  return database.prepare<unknown[], T>(sql).get(...values);
}

/** The first column of each row. */
export function valuesIn<T>(database: Database, sql: string, ...values: readonly unknown[]): T[] {
  return database
    .prepare<unknown[], T>(sql)
    .pluck()
    .all(...values);
}

/** The first column of the first row; undefined: there is no row. */
export function valueIn<T>(
  database: Database,
  sql: string,
  ...values: readonly unknown[]
): T | undefined {
  return database
    .prepare<unknown[], T>(sql)
    .pluck()
    .get(...values);
}
