import { addressOfFilePath } from "../documents/address.ts";
import { isJsonObject, type JsonObject } from "../workspace/json.ts";
import { Work } from "../workspace/work.ts";
import type { Definitions } from "./names.ts";

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
  };
  /** Of a draft, or of a version that is told by one. */
  readonly definitions?: Definitions;
  /** The ids of all entries that its documents show, where they are known. */
  readonly shown?: ReadonlySet<string>;
}

const ids = new WeakMap<Snapshot["documents"], Work<ReadonlySet<string>>>();

/** The ids of all entries that its documents show; reads them once. */
export function idsIn(snapshot: Snapshot): Work<ReadonlySet<string>> {
  const known = ids.get(snapshot.documents) ?? new Work(() => readIds(snapshot));
  ids.set(snapshot.documents, known);
  return known;
}

function* readIds(snapshot: Snapshot): Generator<void, ReadonlySet<string>> {
  if (snapshot.shown !== undefined) return snapshot.shown;
  const found = new Set<string>();
  for (const path of snapshot.documents.keys()) {
    if (addressOfFilePath(path)?.kind !== "content") continue;
    for (const { id } of entriesIn(snapshot.document(path))) {
      if (typeof id === "string") found.add(id);
    }
    yield;
  }
  return found;
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
