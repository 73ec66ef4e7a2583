import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import Database from "better-sqlite3";
import type { TestBed } from "../test-bed.ts";

/** Changes a part of the cached rendering, with a valid check. */
export function rewriteRendering(
  bed: TestBed,
  part: string,
  change: (text: string) => string,
): void {
  const database = new Database(bed.store.file);
  const stored = database.prepare("SELECT bytes FROM renderings WHERE part = ?").pluck().get(part);
  const bytes = Buffer.from(change(zstdDecompressSync(stored as Buffer).toString()));
  database
    .prepare("UPDATE renderings SET bytes = ?, row_check = ? WHERE part = ?")
    .run(zstdCompressSync(bytes), crc32(bytes, crc32(part)), part);
  database.close();
}
