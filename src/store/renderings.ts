import { crc32, zstdDecompressSync } from "node:zlib";
import type { Database } from "better-sqlite3";
import { compressed } from "../documents/compressed.ts";

/** A cache of the drafts' last renderings, in parts: one that is damaged is not used. */
export class Renderings {
  readonly #database: Database;
  /** The checks of the undamaged parts of the last `read`. */
  readonly #intact = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Calls `work` with a function that reads a part; undefined if one is missing or damaged. */
  read<T>(workspace: number, work: (read: (part: string) => Uint8Array) => T): T | undefined {
    const find = this.#database.prepare<unknown[], Row>(
      "SELECT bytes, row_check FROM renderings WHERE workspace = ? AND part = ?",
    );
    this.#intact.clear();
    try {
      return work((part) => {
        const bytes = intactBytes(part, find.get(workspace, part));
        this.#intact.set(`${workspace} ${part}`, checkOf(part, bytes));
        return bytes;
      });
    } catch (error) {
      if (error instanceof Missing) return undefined;
      throw error;
    }
  }

  /** The numbers of the texts that the rendering uses. */
  texts(workspace: number): number[] {
    const texts = (part: string) =>
      this.read(workspace, (read) => new Float64Array(new Uint8Array(read(part)).buffer)) ?? [];
    return [...texts("texts"), ...texts("outlineTexts")];
  }

  /** Saves parts. Those unchanged since the last `read` are not written. */
  save(workspace: number, parts: Iterable<readonly [part: string, bytes: Uint8Array]>): void {
    const put = this.#database.prepare(
      `INSERT INTO renderings (workspace, part, row_check, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT (workspace, part) DO UPDATE
       SET row_check = excluded.row_check, bytes = excluded.bytes`,
    );
    for (const [part, bytes] of parts) {
      const check = checkOf(part, bytes);
      if (this.#intact.get(`${workspace} ${part}`) === check) continue;
      put.run(workspace, part, check, compressed(bytes));
    }
  }
}

interface Row {
  readonly bytes: Uint8Array;
  readonly row_check: number;
}

class Missing extends Error {}

function intactBytes(part: string, row: Row | undefined): Uint8Array {
  if (row === undefined) throw new Missing();
  let bytes: Uint8Array;
  try {
    const chunkSize = Math.min(Math.max(1024, 4 * row.bytes.byteLength), 1024 * 1024);
    bytes = zstdDecompressSync(row.bytes, { chunkSize });
  } catch {
    throw new Missing();
  }
  if (checkOf(part, bytes) !== row.row_check) throw new Missing();
  return bytes;
}

function checkOf(part: string, bytes: Uint8Array): number {
  return crc32(bytes, crc32(part));
}
