import { constants } from "node:buffer";
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Database } from "better-sqlite3";
import { rowIn } from "./query.ts";

/** In bytes: V8 has no longer texts. What a store says of a size may be forged. */
export const MAX_UNPACKED = constants.MAX_STRING_LENGTH;

/**
 * A cache: of each workspace, what the last publish of its draft found, as JSON. One that is missing or
 * damaged is as none.
 */
export class Outcomes {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(workspace: number): unknown {
    const sql = "SELECT row_check, outcome FROM outcomes WHERE workspace = ?";
    const row = rowIn<{ row_check: number; outcome: Uint8Array }>(this.#database, sql, workspace);
    if (row === undefined || checkOfOutcome(row.outcome, workspace) !== row.row_check)
      return undefined;
    try {
      const unpacked = zstdDecompressSync(row.outcome, { maxOutputLength: MAX_UNPACKED });
      return JSON.parse(unpacked.toString());
    } catch {
      return undefined;
    }
  }

  save(workspace: number, outcome: object): void {
    const bytes = zstdCompressSync(JSON.stringify(outcome));
    this.#database
      .prepare("INSERT OR REPLACE INTO outcomes (workspace, row_check, outcome) VALUES (?, ?, ?)")
      .run(workspace, checkOfOutcome(bytes, workspace), bytes);
  }
}

/** A store that anyone made may have any number. */
function checkOfOutcome(bytes: Uint8Array, workspace: number): number {
  return crc32(bytes, workspace >>> 0);
}
