import { crc32 } from "node:zlib";
import type { Database } from "better-sqlite3";
import { damaged } from "./store-error.ts";

/**
 * CRC-32 over the texts of a row of the draft, its ids included. It tells a row that the disk has
 * spoiled, which SQLite does not: frozen bytes have their SHA-256, the draft has this.
 */
export function rowCheck(...texts: readonly string[]): number {
  return texts.reduce((crc, text) => crc32(text, crc), 0);
}

/** The JSON of a row, the last of its texts, when they are as they were written. */
export function parseChecked<T>(check: number, what: string, ...texts: readonly string[]): T {
  if (rowCheck(...texts) !== check) throw damaged(`${what} is not as it was written`);
  return JSON.parse(texts.at(-1) as string);
}

/** Makes `row_check(…)` known to SQL. */
export function defineRowCheck(database: Database): void {
  const options = { varargs: true, deterministic: true };
  database.function("row_check", options, (...texts) => rowCheck(...(texts as string[])));
}
