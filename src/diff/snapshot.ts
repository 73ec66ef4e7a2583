import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonObject } from "../workspace/json.ts";

/** All documents of a version, or of the draft as publishing would freeze them. */
export interface Snapshot {
  /** SHA-256 of each document with version id null, by its file path below `out/`. */
  readonly documents: ReadonlyMap<string, string>;
  /** The document of a path of `documents`, version id null. */
  document(path: string): JsonObject;
  /** Of a draft: its entries, also those that no document shows. */
  readonly draft?: {
    has(id: string): boolean;
    /** Those that are published, in the first language, as documents would show them. */
    entries(): Iterable<JsonObject>;
    /** D6a: those that say what an entry is called (W6c), by the keys of models. */
    readonly titleFields: ReadonlyMap<string, readonly FieldDefinition[]>;
  };
}

/** The snapshot of a workspace that was never published. */
export const NOTHING: Snapshot = {
  documents: new Map(),
  document(path) {
    throw new TypeError(`there is no document "${path}"`);
  },
};
