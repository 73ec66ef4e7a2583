import { publishedDocument, publishedHashes, sha256 } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import type { FileFact } from "./manifest.ts";
import type { FrozenDocument, VersionFile } from "./version-store.ts";

/** What a file of `out/` is to hold. */
export interface FileContent {
  /** Bytes. */
  readonly size: number;
  /** The version that the file names; undefined when it names none. */
  readonly versionId: string | undefined;
  /** The frozen document that it is made of; undefined: an asset, or a text. */
  readonly document?: FrozenDocument;
  /** SHA-256 of the file, where it is known without making it. */
  readonly sha256: string | undefined;
  /** The fact of a file with these bytes, if they are what it is to hold. */
  matches(bytes: Uint8Array): FileFact | undefined;
  /** @throws SvcError `store-damaged` when the bytes are not those that were frozen. */
  produce(): { readonly pieces: readonly Uint8Array[]; readonly fact: FileFact };
}

/** How much longer a version id is than the null in its place. */
export const LONGER = 30;

type ReadDocument = (number: number) => Uint8Array | undefined;

/** A document of a version: its frozen bytes with the version's id. */
export class DocumentContent implements FileContent {
  readonly document: FrozenDocument;
  readonly versionId: string;
  readonly sha256 = undefined;
  readonly #read: ReadDocument;

  constructor(document: FrozenDocument, versionId: string, read: ReadDocument) {
    this.document = document;
    this.versionId = versionId;
    this.#read = read;
  }

  get size(): number {
    return this.document.size + LONGER;
  }

  matches(bytes: Uint8Array): FileFact | undefined {
    const { file, unversioned, versionId } = publishedHashes(bytes);
    if (unversioned !== this.document.frozen || versionId !== this.versionId) return undefined;
    return { sha256: file, size: this.size };
  }

  produce() {
    const { path, number, frozen } = this.document;
    const bytes = this.#read(number);
    const published = bytes && publishedDocument(bytes, frozen, this.versionId);
    if (published === undefined) throw damagedDocument(path);
    return { pieces: published.pieces, fact: { sha256: published.sha256, size: this.size } };
  }
}

export function damagedDocument(path: string): SvcError {
  return new SvcError("store-damaged", `the store is damaged: "${path}" is not as published`, {
    hint: "restore it from a backup, or import the workspace folder into a new store",
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
