import Database, { type Statement } from "better-sqlite3";
import { SvcError } from "../workspace/errors.ts";

/** Documents by path: on the disk, as far as they do not fit in SQLite's cache. */
export class TemporaryDocuments {
  readonly #database: Database.Database;
  readonly #save: Statement;
  readonly #read: Statement<unknown[], Buffer>;

  constructor() {
    // A private database, whose file SQLite unlinks when it makes it.
    this.#database = new Database("");
    this.#database.pragma("journal_mode = OFF");
    this.#database.pragma("synchronous = OFF");
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
    } catch (cause) {
      const message = `cannot keep the documents to compare: ${(cause as Error).message}`;
      throw new SvcError("disk-full", message, {
        hint: "make room in the folder for temporary files (TMPDIR), then try again",
        cause,
      });
    }
  }

  /** The bytes that were saved last for the path. */
  read(path: string): Buffer {
    const bytes = this.#read.get(path);
    if (bytes === undefined) throw new TypeError(`"${path}" was not saved`);
    return bytes;
  }
}
