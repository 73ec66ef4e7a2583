import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Database, Statement } from "better-sqlite3";
import { addressOfFilePath } from "../documents/address.ts";
import {
  hasNullVersionId,
  sha256,
  type VersionFile,
  versionIdOf,
} from "../documents/version-id.ts";
import { isAssetPath } from "../workspace/asset.ts";
import { NEXT_SEQUENCE } from "./history.ts";
import { MAX_UNPACKED } from "./outcomes.ts";
import { rowsIn, valueIn, valuesIn } from "./query.ts";
import { damaged } from "./store-error.ts";

/** A file whose bytes the store has. */
type Held = Pick<VersionFile, "path" | "sha256">;

const VERSION = "(SELECT number FROM versions WHERE workspace = ? AND id = ?)";

/** The published versions: lists of documents, each held once over all versions. */
export class Versions {
  readonly #database: Database;
  readonly #find: Statement<unknown[], number>;
  readonly #add: Statement;
  readonly #bytes: Statement<unknown[], Uint8Array>;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database
      .prepare<unknown[], number>("SELECT number FROM documents WHERE sha256 = ?")
      .pluck();
    this.#add = database.prepare("INSERT INTO documents (sha256, size, bytes) VALUES (?, ?, ?)");
    this.#bytes = database
      .prepare<unknown[], Uint8Array>("SELECT bytes FROM documents WHERE sha256 = ?")
      .pluck();
  }

  has(workspace: number, versionId: string): boolean {
    return this.#number(workspace, versionId) !== undefined;
  }

  #number(workspace: number, versionId: string): number | undefined {
    const sql = "SELECT number FROM versions WHERE workspace = ? AND id = ?";
    return valueIn(this.#database, sql, workspace, versionId);
  }

  /** Stores the frozen bytes of a document, unless they are stored already. */
  saveDocument(hash: string, bytes: Uint8Array): void {
    if (this.#find.get(hash) !== undefined) return;
    const params = { [constants.ZSTD_c_compressionLevel]: 1 };
    this.#add.run(hash, bytes.length, zstdCompressSync(bytes, { params }));
  }

  /** Adds a version, whose documents and files must be stored already. */
  add(
    workspace: number,
    version: {
      readonly versionId: string;
      readonly documents: readonly Held[];
      readonly files: readonly Held[];
    },
    publishedAt: Date,
    clock: string | null,
  ): void {
    const { versionId, documents, files } = version;
    const { lastInsertRowid: number } = this.#database
      .prepare(
        `INSERT INTO versions (workspace, id, published_at, sequence, file_count, clock)
         VALUES (:workspace, :versionId, :at, ${NEXT_SEQUENCE}, :fileCount, :clock)`,
      )
      .run({ workspace, versionId, at: publishedAt.toISOString(), fileCount: files.length, clock });
    const addDocument = this.#database.prepare(
      "INSERT INTO version_documents (version, path, document) VALUES (?, ?, ?)",
    );
    for (const { path, sha256: hash } of documents) {
      addDocument.run(number, path, this.#find.get(hash));
    }
    const addFile = this.#database.prepare(
      "INSERT INTO version_files (version, path, sha256) VALUES (?, ?, ?)",
    );
    for (const { path, sha256: hash } of files) addFile.run(number, path, hash);
  }

  /** Adds files that the store did not have when the version was made. */
  addFiles(workspace: number, versionId: string, files: readonly Held[]): void {
    const version = this.#number(workspace, versionId);
    const add = this.#database.prepare(
      "INSERT INTO version_files (version, path, sha256) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    );
    let added = 0;
    for (const { path, sha256: hash } of files) added += add.run(version, path, hash).changes;
    if (added === 0) return;
    this.#database
      .prepare("UPDATE versions SET file_count = file_count + ? WHERE number = ?")
      .run(added, version);
  }

  /**
   * The documents of a version, as they were frozen with version id null (R3), and its files, each in
   * order of the paths.
   *
   * @throws SvcError `store-damaged` when they do not match the version id (R1), and for other paths
   *   than F1 has: anyone may have made the store (F9a).
   */
  contents(
    workspace: number,
    versionId: string,
  ): { documents: VersionFile[]; files: VersionFile[] } {
    const listed = (sql: string) => rowsIn<VersionFile>(this.#database, sql, workspace, versionId);
    const documents = listed(
      `SELECT path, sha256, size FROM version_documents
       JOIN documents ON number = document WHERE version = ${VERSION} ORDER BY path`,
    );
    const files = listed(
      `SELECT path, sha256, length(bytes) AS size FROM version_files LEFT JOIN files USING (sha256)
       WHERE version = ${VERSION} ORDER BY path`,
    );
    const counted = "SELECT file_count FROM versions WHERE workspace = ? AND id = ?";
    const fileCount = valueIn<number>(this.#database, counted, workspace, versionId);
    const isComplete =
      files.length === fileCount &&
      versionIdOf(documents.map(({ path, sha256: hash }) => [path, hash])) === versionId &&
      documents.every(({ path }) => addressOfFilePath(path) !== undefined) &&
      files.every(
        ({ path, sha256: hash, size }) =>
          size !== null && isAssetPath(path) && path.startsWith(`assets/${hash.slice(0, 16)}/`),
      );
    if (!isComplete) throw damaged(`the version ${versionId} is not as published`);
    return { documents, files };
  }

  /** The paths of the documents of a version. */
  paths(workspace: number, versionId: string): string[] {
    const sql = `SELECT path FROM version_documents WHERE version = ${VERSION}`;
    return valuesIn(this.#database, sql, workspace, versionId);
  }

  /**
   * The frozen bytes of a document of a version.
   *
   * @throws SvcError `store-damaged` when they are not those that were frozen.
   */
  documentBytes(versionId: string, { path, sha256: hash, size }: VersionFile): Buffer {
    const stored = this.#bytes.get(hash);
    try {
      const maxOutputLength = Math.min(size, MAX_UNPACKED);
      const bytes = stored && zstdDecompressSync(stored, { maxOutputLength });
      const isWhole = bytes !== undefined && sha256(bytes) === hash;
      if (isWhole && hasNullVersionId(bytes)) return bytes;
    } catch {
      // As damaged as other bytes.
    }
    throw damaged(`"${path}" of the version ${versionId} is not as published`);
  }

  /** The bytes of an asset file. */
  fileBytes(hash: string): Uint8Array {
    const sql = "SELECT bytes FROM files WHERE sha256 = ?";
    const bytes = valueIn<Uint8Array>(this.#database, sql, hash);
    if (bytes !== undefined && sha256(bytes) === hash) return bytes;
    throw damaged(`the bytes of the file ${hash} are not as published`);
  }
}
