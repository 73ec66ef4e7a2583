import { constants } from "node:buffer";
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Database } from "better-sqlite3";

/** In bytes: V8 has no longer texts. What a store says of a size may be forged. */
export const MAX_UNPACKED = constants.MAX_STRING_LENGTH;

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

/** The stat data of a workspace's files in an `out/`. */
export interface OutState {
  /** SHA-256 of the manifest. */
  readonly manifest: string;
  /** When the data was read, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Four numbers for each file of the workspace, in the manifest's order: inode, size, mtime, ctime. */
  readonly files: Float64Array;
}

/** Per workspace. */
const MAX_FOLDERS = 10;

/** A cache: where a state is missing or damaged, files are read. */
export class OutStates {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(workspace: number, folder: string): OutState | undefined {
    const row = this.#database
      .prepare<
        unknown[],
        { manifest: string; seen_at: number; files: Uint8Array; row_check: number }
      >(
        `SELECT manifest, seen_at, files, row_check FROM out_states
         WHERE workspace = ? AND folder = ?`,
      )
      .get(workspace, folder);
    if (row === undefined) return undefined;
    const { manifest, seen_at: seenAt, files } = row;
    if (row.row_check !== checkOf(folder, manifest, seenAt, files)) return undefined;
    return { manifest, seenAt, files: new Float64Array(new Uint8Array(files).buffer) };
  }

  save(workspace: number, folder: string, { manifest, seenAt, files }: OutState): void {
    const bytes = new Uint8Array(files.buffer, files.byteOffset, files.byteLength);
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO out_states (workspace, folder, manifest, seen_at, files, row_check)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(workspace, folder, manifest, seenAt, bytes, checkOf(folder, manifest, seenAt, bytes));
    this.#database
      .prepare(
        `DELETE FROM out_states WHERE workspace = :workspace AND folder NOT IN
         (SELECT folder FROM out_states WHERE workspace = :workspace
          ORDER BY seen_at DESC LIMIT ${MAX_FOLDERS})`,
      )
      .run({ workspace });
  }
}

function checkOf(folder: string, manifest: string, seenAt: number, files: Uint8Array): number {
  return crc32(files, crc32(`${folder} ${manifest} ${seenAt}`));
}
