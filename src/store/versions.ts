import type { Database, Statement } from "better-sqlite3";
import type { FrozenDocument, VersionFile } from "../documents/frozen-version.ts";
import { sha256, versionIdOf } from "../documents/version-id.ts";
import { NEXT_SEQUENCE } from "./history.ts";
import { damaged } from "./store-error.ts";

type DocumentRow = Omit<FrozenDocument, "recipe">;

class StoredDocument implements FrozenDocument {
  readonly path: string;
  readonly number: number;
  readonly frozen: string;
  readonly size: number;
  readonly #recipe: Statement<unknown[], string>;

  constructor({ path, number, frozen, size }: DocumentRow, recipe: Statement<unknown[], string>) {
    this.path = path;
    this.number = number;
    this.frozen = frozen;
    this.size = size;
    this.#recipe = recipe;
  }

  get recipe(): string {
    const recipe = this.#recipe.get(this.number);
    if (recipe === undefined) throw damaged(`the document ${this.number} is missing`);
    return recipe;
  }
}

const VERSION = "(SELECT number FROM versions WHERE workspace = ? AND id = ?)";

/** The published versions: lists of documents, each with its recipe (R3). */
export class Versions {
  readonly #database: Database;
  readonly #find: Statement<unknown[], { number: number; recipe: string }>;
  readonly #recipe: Statement<unknown[], string>;
  readonly #add: Statement;
  readonly #change: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare(
      "SELECT number, recipe FROM documents WHERE sha256 = ? AND path = ?",
    );
    this.#recipe = database
      .prepare<unknown[], string>("SELECT recipe FROM documents WHERE number = ?")
      .pluck();
    this.#add = database.prepare(
      "INSERT INTO documents (path, sha256, size, recipe) VALUES (?, ?, ?, ?)",
    );
    this.#change = database.prepare("UPDATE documents SET recipe = ? WHERE number = ?");
  }

  has(workspace: number, versionId: string): boolean {
    return this.#number(workspace, versionId) !== undefined;
  }

  #number(workspace: number, versionId: string): number | undefined {
    return this.#database
      .prepare<unknown[], number>("SELECT number FROM versions WHERE workspace = ? AND id = ?")
      .pluck()
      .get(workspace, versionId);
  }

  /**
   * Saves a document and returns its number. A stored one with the same bytes gets this recipe, so
   * that the next comparison of recipes finds no difference.
   */
  saveDocument({ path, frozen, size, recipe }: Omit<FrozenDocument, "number">): number {
    const stored = this.#find.get(frozen, path);
    if (stored === undefined) {
      return Number(this.#add.run(path, frozen, size, recipe).lastInsertRowid);
    }
    if (stored.recipe !== recipe) this.#change.run(recipe, stored.number);
    return stored.number;
  }

  /** The documents and files must be stored already. */
  add(
    workspace: number,
    versionId: string,
    documents: Iterable<number>,
    files: ReadonlyMap<string, string>,
    publishedAt: Date,
    clock: string | null = null,
  ): void {
    const { lastInsertRowid: version } = this.#database
      .prepare(
        `INSERT INTO versions (workspace, id, published_at, sequence, file_count, clock)
         VALUES (:workspace, :versionId, :at, ${NEXT_SEQUENCE}, :fileCount, :clock)`,
      )
      .run({ workspace, versionId, at: publishedAt.toISOString(), fileCount: files.size, clock });
    const addDocument = this.#database.prepare(
      "INSERT INTO version_documents (version, document) VALUES (?, ?)",
    );
    for (const document of documents) addDocument.run(version, document);
    const addFile = this.#database.prepare(
      "INSERT INTO version_files (version, path, sha256) VALUES (?, ?, ?)",
    );
    for (const [path, hash] of files) addFile.run(version, path, hash);
  }

  addFiles(workspace: number, versionId: string, files: ReadonlyMap<string, string>): void {
    const version = this.#number(workspace, versionId);
    const add = this.#database.prepare(
      "INSERT INTO version_files (version, path, sha256) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    );
    let added = 0;
    for (const [path, hash] of files) added += add.run(version, path, hash).changes;
    if (added === 0) return;
    this.#database
      .prepare("UPDATE versions SET file_count = file_count + ? WHERE number = ?")
      .run(added, version);
  }

  /**
   * The files of a version, each kind in order of the paths, without the bytes.
   *
   * @throws SvcError `store-damaged` when they do not match the version id (R1).
   */
  contents(
    workspace: number,
    versionId: string,
  ): { documents: FrozenDocument[]; files: VersionFile[] } {
    const documents = this.#database
      .prepare<unknown[], DocumentRow>(
        `SELECT path, number, sha256 AS frozen, size FROM version_documents
         JOIN documents ON number = document WHERE version = ${VERSION}`,
      )
      .all(workspace, versionId)
      .map((row) => new StoredDocument(row, this.#recipe))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const files = this.#database
      .prepare<unknown[], VersionFile>(
        `SELECT path, sha256, length(bytes) AS size FROM version_files LEFT JOIN files USING (sha256)
         WHERE version = ${VERSION} ORDER BY path`,
      )
      .all(workspace, versionId);
    const fileCount = this.#database
      .prepare<unknown[], number>("SELECT file_count FROM versions WHERE workspace = ? AND id = ?")
      .pluck()
      .get(workspace, versionId);
    const isComplete =
      files.length === fileCount &&
      versionIdOf(documents.map(({ path, frozen }) => [path, frozen])) === versionId &&
      files.every(
        ({ path, sha256: hash, size }) =>
          size !== null && path.startsWith(`assets/${hash.slice(0, 16)}/`),
      );
    if (!isComplete) throw damaged(`the version ${versionId} is not as published`);
    return { documents, files };
  }

  /** The paths of the documents of a version. */
  paths(workspace: number, versionId: string): string[] {
    return this.#database
      .prepare<unknown[], string>(
        `SELECT path FROM version_documents JOIN documents ON number = document
         WHERE version = ${VERSION}`,
      )
      .pluck()
      .all(workspace, versionId);
  }

  /** The recipes of all documents, the newest first. */
  recipes(): Iterable<string> {
    return this.#database
      .prepare<unknown[], string>("SELECT recipe FROM documents ORDER BY number DESC")
      .pluck()
      .iterate();
  }

  /** A function that reads the bytes of an asset file by its hash, and checks them. */
  fileReader(): (hash: string) => Uint8Array {
    const statement = this.#database
      .prepare<unknown[], Uint8Array>("SELECT bytes FROM files WHERE sha256 = ?")
      .pluck();
    return (hash) => {
      const bytes = statement.get(hash);
      if (bytes !== undefined && sha256(bytes) === hash) return bytes;
      throw damaged(`the bytes of the file ${hash} are not as published`);
    };
  }
}
