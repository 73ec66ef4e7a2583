import { assemble, parseRecipe } from "../documents/recipe.ts";
import type { Texts } from "../documents/texts.ts";
import { publishedHashes, sha256, versionedDocument } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import type { FileFact } from "./manifest.ts";
import type { FrozenDocument, VersionFile } from "./version-store.ts";

/** What a file of `out/` is to hold. */
export interface FileContent {
  /** Bytes. */
  readonly size: number;
  /** The version that the file names; undefined when it names none. */
  readonly versionId: string | undefined;
  /** SHA-256 of the file, where it is known without making it. */
  readonly sha256: string | undefined;
  /** The fact of a file with these bytes, if they are what it is to hold. */
  matches(bytes: Uint8Array): FileFact | undefined;
  /**
   * The pieces are valid until the next file is produced.
   *
   * @param published what the file holds now. Where only the version is another, the rest is taken
   *   from there: reading it takes less than putting it together.
   * @throws SvcError `store-damaged` when the bytes are not those that were frozen.
   */
  produce(published?: Uint8Array): {
    readonly pieces: readonly Uint8Array[];
    readonly fact: FileFact;
  };
}

/** How much longer a version id is than the null in its place. */
const LONGER = 30;

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
    return this.#document.size + LONGER;
  }

  matches(bytes: Uint8Array): FileFact | undefined {
    const { file, unversioned, versionId } = publishedHashes(bytes);
    if (unversioned !== this.#document.frozen || versionId !== this.versionId) return undefined;
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
 * What a document is put together to; valid until the next one is.
 *
 * @throws SvcError `store-damaged` when it surely is not what was frozen.
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
 * The frozen bytes of a document, and never spoiled ones.
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

/** Bytes that are at hand. */
export function bytesContent(bytes: Uint8Array): FileContent {
  const file = { path: "", sha256: sha256(bytes), size: bytes.byteLength };
  return fileContent(file, () => bytes);
}
