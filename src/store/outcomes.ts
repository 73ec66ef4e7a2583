import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Database } from "better-sqlite3";

/**
 * A cache: of each workspace, what the last check or publish of its draft found, as JSON. One that is
 * missing or damaged is as none.
 */
export class Outcomes {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(workspace: number): unknown {
    const row = this.#database
      .prepare<unknown[], { row_check: number; outcome: Uint8Array }>(
        "SELECT row_check, outcome FROM outcomes WHERE workspace = ?",
      )
      .get(workspace);
    if (row === undefined || crc32(row.outcome, workspace) !== row.row_check) return undefined;
    try {
      return JSON.parse(zstdDecompressSync(row.outcome).toString());
    } catch {
      return undefined;
    }
  }

  save(workspace: number, outcome: object): void {
    const bytes = zstdCompressSync(JSON.stringify(outcome));
    this.#database
      .prepare("INSERT OR REPLACE INTO outcomes (workspace, row_check, outcome) VALUES (?, ?, ?)")
      .run(workspace, crc32(bytes, workspace), bytes);
  }
}
