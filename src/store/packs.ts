import { crc32 } from "node:zlib";
import type { Database, Statement } from "better-sqlite3";
import type { Pack } from "../documents/text-packs.ts";
import { damaged } from "./store-error.ts";

/** The texts of cached renderings and of all versions. */
export class Packs {
  readonly #database: Database;
  readonly #add: Statement;
  readonly #get: Statement<unknown[], Pack & { readonly row_check: number }>;

  constructor(database: Database) {
    this.#database = database;
    this.#add = database.prepare("INSERT INTO packs (row_check, contents, bytes) VALUES (?, ?, ?)");
    this.#get = database.prepare("SELECT row_check, contents, bytes FROM packs WHERE number = ?");
  }

  /** Returns its number. */
  add(pack: Pack): number {
    const { contents, bytes } = pack;
    return Number(this.#add.run(packCheck(pack), contents, bytes).lastInsertRowid);
  }

  /** @throws SvcError `store-damaged`. */
  get(number: number): Pack {
    const pack = this.#get.get(number);
    if (pack === undefined) throw damaged(`the texts ${number} are missing`);
    if (pack.row_check !== packCheck(pack))
      throw damaged(`the texts ${number} are not as they were written`);
    return pack;
  }

  /** Every pack without its texts. */
  all(): Iterable<{ readonly number: number; readonly contents: Uint8Array }> {
    return this.#database
      .prepare<unknown[], { number: number; contents: Uint8Array }>(
        "SELECT number, contents FROM packs",
      )
      .iterate();
  }

  numbers(): number[] {
    return this.#database.prepare<unknown[], number>("SELECT number FROM packs").pluck().all();
  }

  delete(numbers: Iterable<number>): void {
    const remove = this.#database.prepare("DELETE FROM packs WHERE number = ?");
    for (const number of numbers) remove.run(number);
  }
}

/** A CRC-32 that detects damage by the disk. */
export function packCheck({ contents, bytes }: Pack): number {
  return crc32(bytes, crc32(contents));
}
