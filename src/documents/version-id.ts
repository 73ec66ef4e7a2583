import { createHash, hash as hashOf } from "node:crypto";
import { byCodeUnit, isJsonObject, type JsonValue } from "../workspace/json.ts";

/** What a file of `out/` is. */
export interface FileFact {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

export function isFileFact(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && isSha256(value.sha256) && isSize(value.size);
}

export function isSha256(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isVersionId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
}

/** By path below `out/`. */
export type FileFacts = Readonly<Record<string, FileFact>>;

export interface VersionFile extends FileFact {
  /** Below `out/`. */
  readonly path: string;
}

/** SHA-256 of a file's bytes, lower-case hex. */
export function sha256(bytes: Uint8Array | string): string {
  return hashOf("sha256", bytes, "hex");
}

/**
 * R1: the id of a version, from the SHA-256 (hex) of each of its documents with version id null, by
 * file path below `out/`.
 */
export function versionIdOf(
  hashes: Iterable<readonly [path: string, sha256: string]> | Readonly<Record<string, string>>,
): string {
  const pairs = Symbol.iterator in hashes ? [...hashes] : Object.entries(hashes);
  const hash = createHash("sha256");
  let before = "{";
  for (const [path, one] of pairs.sort(([a], [b]) => byCodeUnit(a, b))) {
    hash.update(`${before}${JSON.stringify(path)}:"${one}"`);
    before = ",";
  }
  return hash
    .update(pairs.length === 0 ? "{}" : "}")
    .digest("hex")
    .slice(0, VERSION_ID_LENGTH);
}

/** The hashes of a published file. */
export interface PublishedHashes {
  /** SHA-256 of the file, lower-case hex. */
  readonly file: string;
  /** SHA-256 of the file with version id null (R1); undefined: it has no version id. */
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
    versionId: matched.slice(1, 1 + VERSION_ID_LENGTH),
  };
}

/** The version that a published file names, if any. */
export function versionIdIn(file: Uint8Array): string | undefined {
  const { matched } = find(file, VERSIONED) ?? {};
  return matched?.slice(1, 1 + VERSION_ID_LENGTH);
}

/** Whether a document can have a version id in place of null. */
export function hasNullVersionId(document: Uint8Array): boolean {
  return find(document, UNVERSIONED) !== undefined;
}

/** A document with a version id in place of null. */
export function withVersionId(document: Buffer, versionId: string | null): Buffer {
  if (versionId === null) return document;
  const [start, end] = split(document, UNVERSIONED);
  return Buffer.concat([start, Buffer.from(JSON.stringify(versionId) + end)]);
}

/** A published file with version id null, as R1 hashes it. */
export function withoutVersionId(document: Uint8Array): Buffer {
  const [start, end] = split(document, VERSIONED);
  return Buffer.concat([start, Buffer.from(`null${end}`)]);
}

const VERSION_ID_LENGTH = 32;
const UNVERSIONED = /null(\n?\}\n)$/;
const VERSIONED = /"[0-9a-f]{32}"(\n?\}\n)$/;

/** Longer than a version id in quotes and what may follow it. */
const END = 40;

/** The text before the version id, and after it. */
function split(document: Uint8Array, id: RegExp): [Uint8Array, string] {
  const found = find(document, id);
  if (found !== undefined) return [found.start, found.end];
  throw new TypeError("the document does not end in the version id expected");
}

/** `matched` is the version id, as JSON, with what follows it. */
function find(document: Uint8Array, id: RegExp) {
  const { buffer, byteOffset, byteLength } = document;
  const size = Math.min(END, byteLength);
  const tail = Buffer.from(buffer, byteOffset + byteLength - size, size).toString("latin1");
  const [matched, end] = id.exec(tail) ?? [];
  if (matched === undefined || end === undefined) return undefined;
  return { start: document.subarray(0, document.length - matched.length), matched, end };
}
