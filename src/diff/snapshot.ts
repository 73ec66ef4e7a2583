import type { JsonObject } from "../workspace/json.ts";
import { type EntryKey, type ServedEntry, type ShownEntries, shownIn } from "./shown-entries.ts";

/** All documents of a workspace at one moment: a version's, or the draft's as it would be frozen. */
export interface Snapshot {
  /**
   * SHA-256 of each document with version id null, by its file path below `out/`; of a content
   * document that was not hashed yet, what it is put together from.
   */
  readonly documents: ReadonlyMap<string, string>;
  /** SHA-256 of the document of a path of `documents`. */
  sha256(path: string): string;
  /** The document of a path of `documents`, version id null. */
  document(path: string): JsonObject;
  /**
   * What the content document of a path of `documents` shows. An entry has the same key in all
   * documents of a snapshot; in another one of the same store, if its text is the same, too, unless
   * one of them has texts for keys.
   */
  shown(path: string): ShownEntries;
  /** The entry with a key. */
  entry(key: EntryKey): ServedEntry;
}

/** A snapshot of documents that are hashed, and opened as a whole. */
export function wholeSnapshot(
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

/** A workspace that was never published. */
export const NOTHING: Snapshot = wholeSnapshot(new Map(), (path) => {
  throw new TypeError(`there is no document "${path}"`);
});
