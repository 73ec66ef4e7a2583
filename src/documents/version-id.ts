import { createHash, type Hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** SHA-256 of a file's bytes, lower-case hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * R1: the id of a version, from the SHA-256 (hex) of each of its documents as it is with version
 * id null, by file path below `out/`.
 */
export function versionIdOf(hashes: Readonly<Record<string, string>>): string {
  return sha256(canonicalJson(hashes)).slice(0, 32);
}

/**
 * The hashes of a document that was rendered with version id null: as it is, which goes into the
 * version id, and as it will be with the version id, without hashing all of it again.
 */
export class DocumentHashes {
  readonly #start: Hash;
  readonly #end: string;
  /** SHA-256 with version id null, lower-case hex. */
  readonly unversioned: string;

  constructor(document: Uint8Array) {
    const [start, end] = split(document, UNVERSIONED);
    this.#start = createHash("sha256").update(start);
    this.#end = end;
    this.unversioned = this.#start.copy().update(`null${end}`).digest("hex");
  }

  /** SHA-256 with this version id, lower-case hex. To be called once. */
  versioned(versionId: string): string {
    return this.#start.update(JSON.stringify(versionId) + this.#end).digest("hex");
  }
}

/**
 * A document that was rendered with version id null, with its version id. In each of the three
 * documents the version id is the last member, so only the end of the bytes is touched.
 */
export function withVersionId(document: Uint8Array, versionId: string): Buffer {
  const [start, end] = split(document, UNVERSIONED);
  return Buffer.concat([start, Buffer.from(JSON.stringify(versionId) + end)]);
}

/** What is in a published file, read once. */
export interface PublishedHashes {
  /** SHA-256 of the file, lower-case hex. */
  readonly file: string;
  /** SHA-256 of the file as it would be with version id null (R1); undefined: it names no version. */
  readonly unversioned: string | undefined;
  readonly versionId: string | undefined;
}

export function publishedHashes(file: Uint8Array): PublishedHashes {
  const found = find(file, VERSIONED);
  if (found === undefined) {
    return { file: sha256(file), unversioned: undefined, versionId: undefined };
  }
  const { start, matched, end } = found;
  const hash = createHash("sha256").update(start);
  const unversioned = hash.copy().update(`null${end}`).digest("hex");
  return {
    file: hash.update(matched).digest("hex"),
    unversioned,
    versionId: matched.slice(1, -1 - end.length),
  };
}

/** The inverse of `withVersionId`: what R1 hashes, from a published file. */
export function withoutVersionId(document: Uint8Array): Buffer {
  const [start, end] = split(document, VERSIONED);
  return Buffer.concat([start, Buffer.from(`null${end}`)]);
}

const UNVERSIONED = /null(\n?\}\n)$/;
const VERSIONED = /"[0-9a-f]{32}"(\n?\}\n)$/;

/** Longer than a version id in quotes and what may follow it. */
const END = 40;

/** What stands before the version id, and after it. */
function split(document: Uint8Array, id: RegExp): [Uint8Array, string] {
  const found = find(document, id);
  if (found !== undefined) return [found.start, found.end];
  throw new TypeError("the document does not end in the version id expected");
}

/** `matched` is the version id, as JSON, with what follows it. */
function find(document: Uint8Array, id: RegExp) {
  const tail = Buffer.from(document.subarray(-END)).toString("latin1");
  const [matched, end] = id.exec(tail) ?? [];
  if (matched === undefined || end === undefined) return undefined;
  return { start: document.subarray(0, document.length - matched.length), matched, end };
}
