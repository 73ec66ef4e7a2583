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

const UNVERSIONED_END = /null(\n?\}\n)$/;

/**
 * A document that was rendered with version id null, with its version id. In each of the three
 * documents the version id is the last member, so only the end of the text is touched.
 */
export function withVersionId(text: string, versionId: string): string {
  if (!UNVERSIONED_END.test(text.slice(-8))) {
    throw new TypeError("the document does not end in a version id that is null");
  }
  const end = text.lastIndexOf("null");
  return `${text.slice(0, end)}${JSON.stringify(versionId)}${text.slice(end + 4)}`;
}

const VERSIONED_END = /"[0-9a-f]{32}"(\n?\}\n)$/;

/** The inverse of `withVersionId`: what R1 hashes, from a published file. */
export function withoutVersionId(text: string): string {
  return text.replace(VERSIONED_END, "null$1");
}
