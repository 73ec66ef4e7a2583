import type { Database, Statement } from "better-sqlite3";
import { openTemporaryDatabase } from "./open-database.ts";
import { storeError } from "./store-error.ts";

/** Runs `work` with a cache of documents, which is gone afterwards. */
export async function withTemporaryDocuments<T>(
  work: (documents: TemporaryDocuments) => T | Promise<T>,
): Promise<T> {
  const documents = new TemporaryDocuments();
  try {
    return await work(documents);
  } finally {
    documents.close();
  }
}

/** Documents by path: on the disk, as far as they do not fit in SQLite's cache. */
class TemporaryDocuments {
  readonly #database: Database;
  readonly #save: Statement;
  readonly #read: Statement<unknown[], Buffer>;

  constructor() {
    this.#database = openTemporaryDatabase();
    this.#database.pragma("journal_mode = OFF");
    this.#database.exec("CREATE TABLE documents (path TEXT PRIMARY KEY, bytes BLOB) STRICT");
    this.#save = this.#database.prepare(
      "INSERT INTO documents VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes",
    );
    this.#read = this.#database
      .prepare<unknown[], Buffer>("SELECT bytes FROM documents WHERE path = ?")
      .pluck();
  }

  close(): void {
    this.#database.close();
  }

  /** @throws SvcError `disk-full`. */
  save(path: string, bytes: Uint8Array): void {
    try {
      this.#save.run(path, bytes);
    } catch (error) {
      throw storeError(error, "(temporary)");
    }
  }

  /** The bytes that were saved last for the path. */
  read(path: string): Buffer {
    const bytes = this.#read.get(path);
    if (bytes === undefined) throw new TypeError(`"${path}" was not saved`);
    return bytes;
  }
}
