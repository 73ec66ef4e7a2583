import { createHash } from "node:crypto";
import type { Database } from "better-sqlite3";

/** All that a store holds, but for caches; bytes by their checks, hashes and version ids. */
const CONTENT = [
  "SELECT number, id, settings, current_version FROM workspaces ORDER BY number",
  "SELECT workspace, kind, id, row_check FROM records ORDER BY number",
  "SELECT workspace, id, row_check FROM entries ORDER BY number",
  "SELECT workspace, id, row_check FROM assets ORDER BY number",
  "SELECT workspace, path, sha256 FROM draft_files ORDER BY workspace, path",
  "SELECT number, workspace, id, published_at, sequence, file_count, clock FROM versions ORDER BY number",
  "SELECT * FROM journal ORDER BY number",
  "SELECT * FROM tokens ORDER BY id",
];

/** A hash that changes when a draft, a version, the journal or a token changes, not when caches do. */
export function contentMark(database: Database): string {
  const hash = createHash("sha256");
  const read = database.transaction(() => {
    for (const sql of CONTENT) {
      for (const row of database.prepare(sql).raw().iterate()) hash.update(JSON.stringify(row));
      hash.update("\n");
    }
  });
  read.deferred();
  return hash.digest("hex");
}
