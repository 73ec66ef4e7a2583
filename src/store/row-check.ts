import { crc32 } from "node:zlib";
import type { Database } from "better-sqlite3";
import { damaged } from "./store-error.ts";

/**
 * CRC-32 over the texts of a row of the draft, its ids included. It tells a row that the disk has
 * spoiled, which SQLite does not: frozen bytes have their SHA-256, the draft has this.
 */
export function rowCheck(...texts: readonly string[]): number {
  let crc = 0;
  for (const text of texts) crc = crc32(text, crc);
  return crc;
}

/** @throws SvcError `store-damaged` when the texts of the row with this id are not as they were. */
export function checkRow(
  check: number,
  table: string,
  id: string,
  ...texts: readonly string[]
): void {
  if (rowCheck(...texts) !== check)
    throw damaged(`"${id}" of the ${table} is not as it was written`);
}

/** The JSON of the row with this id, the last of its texts, when they are as they were written. */
export function parseChecked<T>(
  check: number,
  table: string,
  id: string,
  ...texts: readonly string[]
): T {
  checkRow(check, table, id, ...texts);
  return JSON.parse(texts.at(-1) as string);
}

/** Makes `row_check(…)` known to SQL. */
export function defineRowCheck(database: Database): void {
  const options = { varargs: true, deterministic: true };
  database.function("row_check", options, (...texts) => rowCheck(...(texts as string[])));
}
