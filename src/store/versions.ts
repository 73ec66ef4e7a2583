import type { Database } from "better-sqlite3";
import { sha256, versionIdOf } from "../documents/version-id.ts";
import { NEXT_SEQUENCE } from "./history.ts";
import { damaged } from "./store-error.ts";

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

/** The same of a document. */
export interface FrozenFile extends VersionFile {
  /** SHA-256 of its frozen bytes: what did not change between two versions has the same. */
  readonly frozen: string;
}

/** The published versions of the store: their frozen bytes (R3). */
export class Versions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
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
  add(workspace: number, versionId: string, contents: VersionContents, publishedAt: Date): void {
    this.#database
      .prepare(
        `INSERT INTO versions (workspace, id, published_at, sequence, file_count)
         VALUES (:workspace, :versionId, :at, ${NEXT_SEQUENCE}, :files)`,
      )
      .run({
        workspace,
        versionId,
        at: publishedAt.toISOString(),
        files: contents.files.size,
      });
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

  /**
   * The files of a version, each kind in order of the paths, without the bytes.
   *
   * @throws SvcError `store-damaged` when they are not those from which its id was derived (R1).
   */
  contents(
    workspace: number,
    versionId: string,
  ): { documents: FrozenFile[]; files: VersionFile[] } {
    const rows = <T>(sql: string) =>
      this.#database
        .prepare<unknown[], T>(`${sql} WHERE workspace = ? AND version = ? ORDER BY path`)
        .all(workspace, versionId);
    const documents = rows<FrozenFile>(
      `SELECT path, version_documents.sha256, size, documents.sha256 AS frozen
       FROM version_documents LEFT JOIN documents ON number = document`,
    );
    const files = rows<VersionFile>(
      `SELECT path, sha256, length(bytes) AS size FROM version_files LEFT JOIN files USING (sha256)`,
    );
    const hashes = documents.map(({ path, frozen }) => [path, frozen] as const);
    const fileCount = this.#database
      .prepare<unknown[], number>("SELECT file_count FROM versions WHERE workspace = ? AND id = ?")
      .pluck()
      .get(workspace, versionId);
    const isWhole =
      files.length === fileCount &&
      versionIdOf(Object.fromEntries(hashes)) === versionId &&
      files.every(
        ({ path, sha256, size }) =>
          size !== null && path.startsWith(`assets/${sha256.slice(0, 16)}/`),
      );
    if (!isWhole) throw damaged(`the version ${versionId} is not what was published`);
    return { documents, files };
  }

  /** A function that gives the frozen bytes of a document by its path, version id null. */
  documentReader(workspace: number, versionId: string): (path: string) => Uint8Array {
    return this.#reader(
      `SELECT documents.sha256, bytes FROM version_documents JOIN documents ON number = document
       WHERE workspace = ? AND version = ? AND path = ?`,
      workspace,
      versionId,
    );
  }

  /** A function that gives the bytes of an asset file by its path. */
  fileReader(workspace: number, versionId: string): (path: string) => Uint8Array {
    return this.#reader(
      `SELECT sha256, bytes FROM version_files JOIN files USING (sha256)
       WHERE workspace = ? AND version = ? AND path = ?`,
      workspace,
      versionId,
    );
  }

  /** Bytes that the disk has spoiled are never handed out. */
  #reader(sql: string, workspace: number, versionId: string): (path: string) => Uint8Array {
    const statement = this.#database.prepare<
      unknown[],
      { readonly sha256: string; readonly bytes: Uint8Array }
    >(sql);
    return (path) => {
      const row = statement.get(workspace, versionId, path);
      if (row !== undefined && sha256(row.bytes) === row.sha256) return row.bytes;
      throw damaged(`the bytes of "${path}" of version ${versionId} are not what was published`);
    };
  }
}
