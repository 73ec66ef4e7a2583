import type { Database } from "better-sqlite3";
import { sha256, versionIdOf } from "../documents/version-id.ts";
import { NEXT_SEQUENCE } from "./history.ts";
import { rowCheck } from "./row-check.ts";
import { damaged } from "./store-error.ts";

/** What one version publishes, by path below `out/`. */
export interface VersionContents {
  /** The numbers of the kept documents. */
  readonly documents: ReadonlyMap<string, number>;
  /** SHA-256 of the asset's bytes, which the store holds. */
  readonly files: ReadonlyMap<string, string>;
}

/** A document of a version: its frozen bytes have version id null. */
export interface FrozenDocument {
  readonly path: string;
  /** By which its bytes are asked for. */
  readonly number: number;
  /** SHA-256 of the frozen bytes: what did not change between two versions has the same. */
  readonly frozen: string;
  /** Of the frozen bytes, in bytes. */
  readonly size: number;
}

/** An asset file of a version, which is published as it is. */
export interface VersionFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
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

  /**
   * A function that keeps a document's bytes (with version id null), unless they are held already.
   * Returns the document's number. `entryIds` are those of the entries that it shows.
   */
  documentKeeper(): (sha256: string, bytes: Uint8Array, entryIds: readonly string[]) => number {
    const add = this.#database.prepare(
      "INSERT INTO documents (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING",
    );
    const find = this.#database
      .prepare<unknown[], number>("SELECT number FROM documents WHERE sha256 = ?")
      .pluck();
    const addEntries = this.#database.prepare(
      `INSERT INTO document_entries (document, entries, row_check) VALUES (?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    return (sha256, bytes, entryIds) => {
      const { changes, lastInsertRowid } = add.run(sha256, bytes);
      const number = changes === 1 ? Number(lastInsertRowid) : (find.get(sha256) as number);
      const text = ` ${entryIds.join(" ")} `;
      addEntries.run(number, text, rowCheck(sha256, text));
      return number;
    };
  }

  /** Adds a version whose documents have been kept and whose files the store holds. */
  add(workspace: number, versionId: string, contents: VersionContents, publishedAt: Date): void {
    this.#addRow(workspace, versionId, contents.files.size, publishedAt);
    const addDocument = this.#database.prepare(
      "INSERT INTO version_documents (workspace, version, path, document) VALUES (?, ?, ?, ?)",
    );
    for (const [path, number] of contents.documents) {
      addDocument.run(workspace, versionId, path, number);
    }
    const addFile = this.#database.prepare(
      "INSERT INTO version_files (workspace, version, path, sha256) VALUES (?, ?, ?, ?)",
    );
    for (const [path, sha256] of contents.files) addFile.run(workspace, versionId, path, sha256);
  }

  /** Adds a version that is as another but for some documents, which have been kept. */
  addLike(
    workspace: number,
    { like, versionId }: { readonly like: string; readonly versionId: string },
    changed: ReadonlyMap<string, number>,
    publishedAt: Date,
  ): void {
    const fileCount = this.#fileCount(workspace, like) ?? 0;
    this.#addRow(workspace, versionId, fileCount, publishedAt);
    for (const [table, column] of [
      ["version_documents", "document"],
      ["version_files", "sha256"],
    ]) {
      this.#database
        .prepare(
          `INSERT INTO ${table} (workspace, version, path, ${column})
           SELECT workspace, ?, path, ${column} FROM ${table} WHERE workspace = ? AND version = ?`,
        )
        .run(versionId, workspace, like);
    }
    const change = this.#database.prepare(
      "UPDATE version_documents SET document = ? WHERE workspace = ? AND version = ? AND path = ?",
    );
    for (const [path, number] of changed) change.run(number, workspace, versionId, path);
  }

  #addRow(workspace: number, versionId: string, fileCount: number, publishedAt: Date): void {
    this.#database
      .prepare(
        `INSERT INTO versions (workspace, id, published_at, sequence, file_count)
         VALUES (:workspace, :versionId, :at, ${NEXT_SEQUENCE}, :fileCount)`,
      )
      .run({ workspace, versionId, at: publishedAt.toISOString(), fileCount });
  }

  #fileCount(workspace: number, versionId: string): number | undefined {
    return this.#database
      .prepare<unknown[], number>("SELECT file_count FROM versions WHERE workspace = ? AND id = ?")
      .pluck()
      .get(workspace, versionId);
  }

  /**
   * The ids of the entries that each document of a version shows, in a text with each between
   * spaces, by path. Undefined when they are not known of all: of earlier forms, or spoiled.
   */
  entriesOfDocuments(workspace: number, versionId: string): Map<string, string> | undefined {
    const rows = this.#database
      .prepare<unknown[], [path: string, frozen: string, entries: string | null, check: number]>(
        `SELECT path, sha256, entries, row_check FROM version_documents
         JOIN documents ON number = document LEFT JOIN document_entries USING (document)
         WHERE workspace = ? AND version = ?`,
      )
      .raw();
    const found = new Map<string, string>();
    for (const [path, frozen, entries, check] of rows.iterate(workspace, versionId)) {
      if (entries === null || rowCheck(frozen, entries) !== check) return undefined;
      found.set(path, entries);
    }
    return found;
  }

  /** Files that a version, which the store holds, has as well. */
  addFiles(workspace: number, versionId: string, files: ReadonlyMap<string, string>): void {
    const add = this.#database.prepare(
      `INSERT INTO version_files (workspace, version, path, sha256) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    let added = 0;
    for (const [path, hash] of files) added += add.run(workspace, versionId, path, hash).changes;
    this.#database
      .prepare("UPDATE versions SET file_count = file_count + ? WHERE workspace = ? AND id = ?")
      .run(added, workspace, versionId);
  }

  /**
   * The files of a version, each kind in order of the paths, without the bytes.
   *
   * @throws SvcError `store-damaged` when they are not those from which its id was derived (R1).
   */
  contents(
    workspace: number,
    versionId: string,
  ): { documents: FrozenDocument[]; files: VersionFile[] } {
    const rows = <T>(sql: string) =>
      this.#database
        .prepare<unknown[], T>(`${sql} WHERE workspace = ? AND version = ? ORDER BY path`)
        .all(workspace, versionId);
    const documents = rows<FrozenDocument>(
      `SELECT path, document AS number, sha256 AS frozen, length(bytes) AS size
       FROM version_documents LEFT JOIN documents ON number = document`,
    );
    const files = rows<VersionFile>(
      `SELECT path, sha256, length(bytes) AS size FROM version_files LEFT JOIN files USING (sha256)`,
    );
    const isWhole =
      files.length === this.#fileCount(workspace, versionId) &&
      versionIdOf(documents.map(({ path, frozen }) => [path, frozen])) === versionId &&
      files.every(
        ({ path, sha256, size }) =>
          size !== null && path.startsWith(`assets/${sha256.slice(0, 16)}/`),
      );
    if (!isWhole) throw damaged(`the version ${versionId} is not what was published`);
    return { documents, files };
  }

  /** A function that gives the frozen bytes of a document, version id null, and never spoiled ones. */
  documentReader(): (document: FrozenDocument) => Uint8Array {
    const read = this.uncheckedReader();
    return ({ path, number, frozen }) => {
      const bytes = read(number);
      if (bytes !== undefined && sha256(bytes) === frozen) return bytes;
      throw damaged(`the bytes of "${path}" are not what was published`);
    };
  }

  /** The same by its number, for whoever compares the bytes with their hash. */
  uncheckedReader(): (number: number) => Uint8Array | undefined {
    const statement = this.#database
      .prepare<unknown[], Uint8Array>("SELECT bytes FROM documents WHERE number = ?")
      .pluck();
    return (number) => statement.get(number);
  }

  /** A function that gives the bytes of an asset file by its hash, and never spoiled ones. */
  fileReader(): (hash: string) => Uint8Array {
    const statement = this.#database
      .prepare<unknown[], Uint8Array>("SELECT bytes FROM files WHERE sha256 = ?")
      .pluck();
    return (hash) => {
      const bytes = statement.get(hash);
      if (bytes !== undefined && sha256(bytes) === hash) return bytes;
      throw damaged(`the bytes of the file ${hash} are not what was published`);
    };
  }
}
