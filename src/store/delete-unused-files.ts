import type { Database } from "better-sqlite3";

/** Deletes the bytes of assets that no draft and no version uses. */
export function deleteUnusedFiles(database: Database): void {
  // The subquery reads only the index of the hashes, not the bytes.
  database.exec(
    `DELETE FROM files WHERE sha256 IN (
       SELECT sha256 FROM files
       WHERE NOT EXISTS (SELECT 1 FROM draft_files WHERE draft_files.sha256 = files.sha256)
       AND NOT EXISTS (SELECT 1 FROM version_files WHERE version_files.sha256 = files.sha256)
     )`,
  );
}
