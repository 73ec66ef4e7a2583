import type { Database } from "better-sqlite3";

/** A document of a version. */
export interface VersionDocument {
  /** SHA-256 of its frozen bytes, which have version id null. */
  readonly frozen: string;
  /** SHA-256 and size in bytes of its file, which has the version id. */
  readonly sha256: string;
  readonly size: number;
}

/** What one version publishes, by path below `out/`. */
export interface VersionContents {
  readonly documents: ReadonlyMap<string, VersionDocument>;
  /** SHA-256 of the asset's bytes, which the store holds. */
  readonly files: ReadonlyMap<string, string>;
}

/** What a published file must be. */
export interface VersionFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** The published versions of the store (R3): frozen bytes and which version is current. */
export class Versions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The id of the version that is published now; undefined when none is. */
  current(workspace: number): string | undefined {
    return (
      this.#database
        .prepare<unknown[], string | null>(
          "SELECT current_version FROM workspaces WHERE number = ?",
        )
        .pluck()
        .get(workspace) ?? undefined
    );
  }

  has(workspace: number, versionId: string): boolean {
    return (
      this.#database
        .prepare("SELECT 1 FROM versions WHERE workspace = ? AND id = ?")
        .get(workspace, versionId) !== undefined
    );
  }

  /** A function that keeps a document's bytes (with version id null), unless it is held already. */
  documentKeeper(): (sha256: string, bytes: Uint8Array) => void {
    const statement = this.#database.prepare(
      "INSERT INTO documents (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING",
    );
    return (sha256, bytes) => {
      statement.run(sha256, bytes);
    };
  }

  /** Adds a version whose documents have been kept and whose files the store holds. */
  add(workspace: number, versionId: string, contents: VersionContents, publishedAt: string): void {
    this.#database
      .prepare("INSERT INTO versions (workspace, id, published_at) VALUES (?, ?, ?)")
      .run(workspace, versionId, publishedAt);
    const addDocument = this.#database.prepare(
      `INSERT INTO version_documents (workspace, version, path, document, sha256, size)
       VALUES (?, ?, ?, (SELECT number FROM documents WHERE sha256 = ?), ?, ?)`,
    );
    for (const [path, { frozen, sha256, size }] of contents.documents) {
      addDocument.run(workspace, versionId, path, frozen, sha256, size);
    }
    const addFile = this.#database.prepare(
      "INSERT INTO version_files (workspace, version, path, sha256) VALUES (?, ?, ?, ?)",
    );
    for (const [path, sha256] of contents.files) addFile.run(workspace, versionId, path, sha256);
  }

  makeCurrent(workspace: number, versionId: string): void {
    this.#database
      .prepare("UPDATE workspaces SET current_version = ? WHERE number = ?")
      .run(versionId, workspace);
  }

  /** The files of a version, each kind in order of the paths, without the bytes. */
  contents(
    workspace: number,
    versionId: string,
  ): { documents: VersionFile[]; files: VersionFile[] } {
    const rows = (sql: string) =>
      this.#database
        .prepare<unknown[], VersionFile>(`${sql} WHERE workspace = ? AND version = ? ORDER BY path`)
        .all(workspace, versionId);
    return {
      documents: rows("SELECT path, sha256, size FROM version_documents"),
      files: rows(
        "SELECT path, sha256, length(bytes) AS size FROM version_files JOIN files USING (sha256)",
      ),
    };
  }

  /** A function that gives the frozen bytes of a document by its path, version id null. */
  documentReader(workspace: number, versionId: string): (path: string) => Uint8Array {
    const statement = this.#database
      .prepare<unknown[], Uint8Array>(
        `SELECT bytes FROM version_documents JOIN documents ON number = document
         WHERE workspace = ? AND version = ? AND path = ?`,
      )
      .pluck();
    return (path) => found(statement.get(workspace, versionId, path), path);
  }

  /** A function that gives the bytes of an asset file by its path. */
  fileReader(workspace: number, versionId: string): (path: string) => Uint8Array {
    const statement = this.#database
      .prepare<unknown[], Uint8Array>(
        `SELECT bytes FROM version_files JOIN files USING (sha256)
         WHERE workspace = ? AND version = ? AND path = ?`,
      )
      .pluck();
    return (path) => found(statement.get(workspace, versionId, path), path);
  }
}

function found<T>(value: T | undefined, path: string): T {
  if (value === undefined) throw new TypeError(`the version has no file "${path}"`);
  return value;
}
