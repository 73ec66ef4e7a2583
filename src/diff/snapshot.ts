import type { JsonObject } from "../workspace/json.ts";
import { type EntryKey, type ServedEntry, type ShownEntries, shownIn } from "./shown-entries.ts";

/** All documents of a version, or of the draft as publishing would freeze them. */
export interface Snapshot {
  /**
   * SHA-256 of each document with version id null, by its file path below `out/`; the recipe of a
   * content document that is not hashed yet.
   */
  readonly documents: ReadonlyMap<string, string>;
  /** SHA-256 of the document of a path of `documents`. */
  sha256(path: string): string;
  /** The document of a path of `documents`, version id null. */
  document(path: string): JsonObject;
  /**
   * The entries of the content document of a path of `documents`. An entry has the same key in all
   * documents of a snapshot, and with the same text also in other snapshots of the store, unless one
   * of them uses texts as keys.
   */
  shown(path: string): ShownEntries;
  /** The entry with a key. */
  entry(key: EntryKey): ServedEntry;
}

/** A snapshot of documents that are hashed, and parsed completely. */
export function parsedSnapshot(
  documents: ReadonlyMap<string, string>,
  document: (path: string) => JsonObject,
): Snapshot {
  return {
    documents,
    sha256: (path) => documents.get(path) as string,
    document,
    shown: (path) => shownIn(document(path)),
    entry: (key) => JSON.parse(String(key)),
  };
}

/** The snapshot of a workspace that was never published. */
export const NOTHING: Snapshot = parsedSnapshot(new Map(), (path) => {
  throw new TypeError(`there is no document "${path}"`);
});
