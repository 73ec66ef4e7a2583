import { crc32 } from "node:zlib";
import { damaged } from "./store-error.ts";

/**
 * CRC-32 of the texts of a row of the draft, its ids included. It detects damage by the disk, which
 * SQLite does not.
 */
export function rowCheck(...texts: readonly string[]): number {
  let crc = 0;
  for (const text of texts) crc = crc32(text, crc);
  return crc;
}

/**
 * Parses the last text of the row with this id.
 *
 * @throws SvcError `store-damaged` when the texts do not match the check.
 */
export function parseChecked<T>(
  check: number,
  table: string,
  id: string,
  ...texts: readonly string[]
): T {
  if (rowCheck(...texts) !== check) {
    throw damaged(`"${id}" of the ${table} is not as it was written`);
  }
  return JSON.parse(texts.at(-1) as string);
}
