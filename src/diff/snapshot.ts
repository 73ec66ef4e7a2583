import type { JsonObject } from "../workspace/json.ts";

/** All documents of a workspace at one moment: a version's, or the draft's as it would be frozen. */
export interface Snapshot {
  /** SHA-256 of each document with version id null, by its file path below `out/`. */
  readonly documents: ReadonlyMap<string, string>;
  /** The document of a path of `documents`, version id null. */
  document(path: string): JsonObject;
}

/** A workspace that was never published. */
export const NOTHING: Snapshot = {
  documents: new Map(),
  document(path) {
    throw new TypeError(`there is no document "${path}"`);
  },
};
