import Database from "better-sqlite3";
import { assemble, parseRecipe } from "../../../src/documents/recipe.ts";
import { countOf, type Pack, PLACES } from "../../../src/documents/text-packs.ts";
import { Texts } from "../../../src/documents/texts.ts";

/** A document of a store with its frozen bytes. */
export interface StoredDocument {
  readonly number: number;
  readonly path: string;
  readonly frozen: Buffer;
}

/** The documents of a store, without the damaged ones. */
export function storedDocuments(file: string): StoredDocument[] {
  return withTexts(file, (database, texts) =>
    database
      .prepare<unknown[], { number: number; path: string; recipe: string }>(
        "SELECT number, path, recipe FROM documents ORDER BY number",
      )
      .all()
      .flatMap(({ number, path, recipe }) => {
        try {
          return [{ number, path, frozen: Buffer.from(assemble(parseRecipe(recipe), texts)) }];
        } catch {
          return [];
        }
      }),
  );
}

/** All texts of a store. */
export function storedTexts(file: string): string[] {
  return withTexts(file, (database, texts) =>
    database
      .prepare<unknown[], { number: number; contents: Uint8Array }>(
        "SELECT number, contents FROM packs ORDER BY number",
      )
      .all()
      .flatMap(({ number, contents }) =>
        Array.from({ length: countOf(contents) }, (_, at) =>
          texts.read(number * PLACES + at).toString(),
        ),
      ),
  );
}

function withTexts<T>(file: string, work: (database: Database.Database, texts: Texts) => T): T {
  const database = new Database(file, { readonly: true });
  try {
    const pack = database.prepare<unknown[], Pack>(
      "SELECT contents, bytes FROM packs WHERE number = ?",
    );
    const get = (number: number) => pack.get(number) as Pack;
    const add = () => {
      throw new TypeError("texts are only read");
    };
    return work(database, new Texts({ get, add, all: () => [] }));
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
