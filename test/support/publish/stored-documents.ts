import { zstdDecompressSync } from "node:zlib";
import Database from "better-sqlite3";

/** The frozen texts of the documents that a store holds. */
export function storedDocuments(file: string): string[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare<unknown[], Uint8Array>("SELECT bytes FROM documents ORDER BY number")
      .pluck()
      .all()
      .map((bytes) => zstdDecompressSync(bytes).toString());
  } finally {
    database.close();
  }
}

/** "path sha256 version" of every document of every version that can be read, frozen with version id null. */
export function promisedDocuments(file: string): string[] {
  const database = new Database(file, { readonly: true });
  const ofVersion = database
    .prepare<unknown[], string>(
      `SELECT path || ' ' || sha256 FROM version_documents JOIN documents ON number = document
       WHERE version = ?`,
    )
    .pluck();
  // A damaged page may hide the documents of one version only.
  const documentsOf = (version: number) => {
    try {
      return ofVersion.all(version);
    } catch {
      return [];
    }
  };
  try {
    return database
      .prepare<unknown[], [number, string]>("SELECT number, id FROM versions")
      .raw()
      .all()
      .flatMap(([version, id]) => documentsOf(version).map((document) => `${document} ${id}`));
  } finally {
    database.close();
  }
}
