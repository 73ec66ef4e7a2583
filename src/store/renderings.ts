import { crc32, zstdDecompressSync } from "node:zlib";
import type { Database } from "better-sqlite3";
import { compressed } from "../documents/compressed.ts";

/**
 * What the drafts of the store were rendered to last, in parts. All of it can be made again: where a
 * part is missing or spoiled, the draft is rendered as if it never had been.
 */
export class Renderings {
  readonly #database: Database;
  /** The checks of the parts that were found whole when they were read last, by part. */
  readonly #whole = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Hands over a function that reads parts; undefined when a part of them is missing or spoiled. */
  read<T>(workspace: number, work: (read: (part: string) => Uint8Array) => T): T | undefined {
    const find = this.#database.prepare<unknown[], Row>(
      "SELECT bytes, row_check FROM renderings WHERE workspace = ? AND part = ?",
    );
    this.#whole.clear();
    try {
      return work((part) => {
        const bytes = wholeBytes(part, find.get(workspace, part));
        this.#whole.set(`${workspace} ${part}`, checkOf(part, bytes));
        return bytes;
      });
    } catch (error) {
      if (error instanceof Missing) return undefined;
      throw error;
    }
  }

  /** The numbers of the texts that are in use; none when that is not known. */
  texts(workspace: number): number[] {
    const texts = (part: string) =>
      this.read(workspace, (read) => new Float64Array(new Uint8Array(read(part)).buffer)) ?? [];
    return [...texts("texts"), ...texts("outlineTexts")];
  }

  /** Keeps parts. Those that were read last, and are the same, are not written. */
  keep(workspace: number, parts: Iterable<readonly [part: string, bytes: Uint8Array]>): void {
    const put = this.#database.prepare(
      `INSERT INTO renderings (workspace, part, row_check, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT (workspace, part) DO UPDATE
       SET row_check = excluded.row_check, bytes = excluded.bytes`,
    );
    for (const [part, bytes] of parts) {
      const check = checkOf(part, bytes);
      if (this.#whole.get(`${workspace} ${part}`) === check) continue;
      put.run(workspace, part, check, compressed(bytes));
    }
  }
}

interface Row {
  readonly bytes: Uint8Array;
  readonly row_check: number;
}

class Missing extends Error {}

function wholeBytes(part: string, row: Row | undefined): Uint8Array {
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
