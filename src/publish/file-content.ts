import type { FileFact, FrozenDocument, VersionFile } from "../documents/frozen-version.ts";
import { assemble, parseRecipe } from "../documents/recipe.ts";
import type { Texts } from "../documents/texts.ts";
import {
  publishedHashes,
  sha256,
  versionedDocument,
  versionIdIn,
} from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";

/** The bytes that a file of `out/` should have. */
export interface FileContent {
  /** Bytes. */
  readonly size: number;
  /** The version that the file names; undefined when it names none. */
  readonly versionId: string | undefined;
  /** Of the file; undefined when it is known only after `produce`. */
  readonly sha256: string | undefined;
  /** The fact of a file with these bytes, if they are the right ones. */
  matches(bytes: Uint8Array): FileFact | undefined;
  /**
   * The pieces are valid until the next call for any file.
   *
   * @param published the bytes of the file now. If only the version id differs, they are reused,
   *   which is faster than assembling the document.
   * @throws SvcError `store-damaged` when the bytes are not those that were frozen.
   */
  produce(published?: Uint8Array): {
    readonly pieces: readonly Uint8Array[];
    readonly fact: FileFact;
  };
}

/** How much longer a version id is than null, in bytes. */
const VERSION_ID_GROWTH = 30;

/** A document of a version: its frozen bytes with the version's id. */
export class DocumentContent implements FileContent {
  readonly versionId: string;
  readonly sha256 = undefined;
  readonly #document: FrozenDocument;
  readonly #texts: Texts;

  constructor(document: FrozenDocument, versionId: string, texts: Texts) {
    this.versionId = versionId;
    this.#document = document;
    this.#texts = texts;
  }

  get size(): number {
    return this.#document.size + VERSION_ID_GROWTH;
  }

  matches(bytes: Uint8Array): FileFact | undefined {
    // Files of another version need not be hashed.
    if (versionIdIn(bytes) !== this.versionId) return undefined;
    const { file, unversioned } = publishedHashes(bytes);
    if (unversioned !== this.#document.frozen) return undefined;
    return { sha256: file, size: this.size };
  }

  produce(published?: Uint8Array) {
    const versioned =
      (published && this.#versioned(published)) ??
      this.#versioned(documentBytes(this.#document, this.#texts));
    if (versioned === undefined) throw damagedDocument(this.#document);
    return { pieces: versioned.pieces, fact: { sha256: versioned.sha256, size: this.size } };
  }

  #versioned(document: Uint8Array) {
    return versionedDocument(document, this.#document.frozen, this.versionId);
  }
}

/**
 * Assembles a document, without checking its hash. Valid until the next call.
 *
 * @throws SvcError `store-damaged`.
 */
function documentBytes(document: FrozenDocument, texts: Texts): Buffer {
  let bytes: Buffer;
  try {
    bytes = assemble(parseRecipe(document.recipe), texts);
  } catch (error) {
    throw error instanceof SvcError ? error : damagedDocument(document, error);
  }
  if (bytes.length !== document.size) throw damagedDocument(document);
  return bytes;
}

/**
 * The frozen bytes of a document, checked against their hash.
 *
 * @throws SvcError `store-damaged`.
 */
export function frozenBytes(document: FrozenDocument, texts: Texts): Buffer {
  const bytes = documentBytes(document, texts);
  if (sha256(bytes) === document.frozen) return bytes;
  throw damagedDocument(document);
}

function damagedDocument({ path }: FrozenDocument, cause?: unknown): SvcError {
  return new SvcError("store-damaged", `the store is damaged: "${path}" is not as published`, {
    hint: "restore it from a backup, or import the workspace folder into a new store",
    cause,
  });
}

/** The bytes of an asset. */
export function fileContent(
  { sha256: hash, size }: VersionFile,
  read: (sha256: string) => Uint8Array,
): FileContent {
  const fact = { sha256: hash, size };
  return {
    size,
    versionId: undefined,
    sha256: hash,
    matches: (bytes) => (sha256(bytes) === hash ? fact : undefined),
    produce: () => ({ pieces: [read(hash)], fact }),
  };
}

export function bytesContent(bytes: Uint8Array): FileContent {
  const file = { path: "", sha256: sha256(bytes), size: bytes.byteLength };
  return fileContent(file, () => bytes);
}
