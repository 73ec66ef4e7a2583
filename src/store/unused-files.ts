import type { Database } from "better-sqlite3";

/** Deletes the bytes that no draft and no version uses any more. */
export function deleteUnusedFiles(database: Database): void {
  database.exec(
    `DELETE FROM files WHERE sha256 NOT IN (SELECT sha256 FROM draft_files)
     AND sha256 NOT IN (SELECT sha256 FROM version_files)`,
  );
}
