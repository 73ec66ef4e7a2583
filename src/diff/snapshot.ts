import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject } from "../workspace/json.ts";

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

/** The entries of a content document: of its steps, then those they reach. Anyone may have made the version. */
export function entriesIn({ content, references }: JsonObject): JsonObject[] {
  return [content, references].flatMap((list) =>
    Array.isArray(list) ? list.filter(isJsonObject) : [],
  );
}

/** The snapshot of a workspace that was never published. */
export const NOTHING: Snapshot = {
  documents: new Map(),
  document(path) {
    throw new TypeError(`there is no document "${path}"`);
  },
};

/** D4a: a version as it is published somewhere, whole; or that nothing of the workspace is. */
export interface PublishedSide {
  readonly kind: "store" | "out" | "url" | "target";
  /** The store's file, the folder, the address or the target. */
  readonly name: string;
  /** Undefined: what is read does not say it. */
  readonly workspaceId?: string | undefined;
  /** Null: nothing is published. */
  readonly versionId: string | null;
  /** When it was published, RFC 3339; null: not known. */
  readonly at: string | null;
  /** The ids of the workspaces that are published there instead. */
  readonly others?: readonly string[];
  readonly snapshot: Snapshot;
}

export function nothingPublished(kind: PublishedSide["kind"], name: string): PublishedSide {
  return { kind, name, versionId: null, at: null, snapshot: NOTHING };
}
