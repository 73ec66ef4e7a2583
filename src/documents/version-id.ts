import { createHash } from "node:crypto";
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
 * A document that was rendered with version id null, with its version id. In each of the three
 * documents the version id is the last member, so only the end of the bytes is touched.
 */
export function withVersionId(document: Uint8Array, versionId: string): Buffer {
  return replaceEnd(document, /null(\n?\}\n)$/, JSON.stringify(versionId));
}

/** The inverse of `withVersionId`: what R1 hashes, from a published file. */
export function withoutVersionId(document: Uint8Array): Buffer {
  return replaceEnd(document, /"[0-9a-f]{32}"(\n?\}\n)$/, "null");
}

/** Longer than a version id in quotes and what may follow it. */
const END = 40;

function replaceEnd(document: Uint8Array, id: RegExp, replacement: string): Buffer {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const start = Math.max(0, bytes.length - END);
  const end = bytes.toString("latin1", start);
  if (!id.test(end)) throw new TypeError("the document does not end in the version id expected");
  const changed = Buffer.from(end.replace(id, `${replacement}$1`), "latin1");
  return Buffer.concat([bytes.subarray(0, start), changed]);
}
