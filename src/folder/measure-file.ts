import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { imageSize } from "image-size";
import { lookup } from "mime-types";
import type { AssetFile } from "../workspace/asset.ts";

/** An asset or a version of one, as authored. */
export interface AuthoredFile {
  readonly id: string;
  readonly fileName: string;
  readonly mimeType?: string;
  readonly url?: string;
  readonly file?: string;
  readonly sizeBytes?: number;
  readonly width?: number;
  readonly height?: number;
}

/** An asset given by url: as authored, and null where nothing is said. */
export function assetByUrl(authored: AuthoredFile): AssetFile {
  const { id, fileName, sizeBytes = null, width = null, height = null, url = "" } = authored;
  return { id, fileName, mimeType: statedType(authored), sizeBytes, width, height, url };
}

/** An asset whose bytes are here: size, type and pixel size are measured, not believed. */
export function assetByBytes(authored: AuthoredFile, bytes: Uint8Array): AssetFile {
  const { id, fileName } = authored;
  const stated = statedType(authored);
  const image = stated.startsWith("image/") || stated === UNKNOWN ? measureImage(bytes) : undefined;
  return {
    id,
    fileName,
    mimeType: image?.mimeType ?? stated,
    sizeBytes: bytes.byteLength,
    width: image?.width ?? null,
    height: image?.height ?? null,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}

const UNKNOWN = "application/octet-stream";

function statedType({ mimeType, fileName }: AuthoredFile): string {
  return mimeType ?? (lookup(fileName) || UNKNOWN);
}

function measureImage(bytes: Uint8Array) {
  try {
    const { type, width, height } = imageSize(bytes);
    const mimeType = lookup(type ?? "") || undefined;
    return { mimeType, width: Math.round(width), height: Math.round(height) };
  } catch {
    return undefined;
  }
}

/**
 * The bytes of a file inside the folder, or why there are none: nothing outside the folder is
 * ever read, not by `..`, not by an absolute path, not through a link.
 */
export function readInside(folder: string, path: string): Uint8Array | string {
  const segments = path.split(/[/\\]/);
  if (
    isAbsolute(path) ||
    /^[A-Za-z]:/.test(path) ||
    segments.includes("..") ||
    path.includes("\0")
  ) {
    return `the file ${JSON.stringify(path)} leaves the folder; give a path inside it`;
  }
  let current = folder;
  for (const segment of segments) {
    current = join(current, segment);
    const stats = lstatSync(current, { throwIfNoEntry: false });
    if (stats === undefined) return `there is no file ${JSON.stringify(path)} in the folder`;
    if (stats.isSymbolicLink()) {
      return `the file ${JSON.stringify(path)} is or passes through a link, which may leave the folder`;
    }
  }
  if (!lstatSync(current).isFile()) return `${JSON.stringify(path)} is not a file`;
  return readFileSync(current);
}

/** What is wrong with a `fileName`: it must be a single path segment. */
export function fileNameFault(fileName: string): string | undefined {
  const name = JSON.stringify(fileName);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[/\\\u0000-\u001f\u007f]/.test(fileName) || ["", ".", ".."].includes(fileName)) {
    return `the fileName ${name} is not a single path segment`;
  }
  if (!fileName.isWellFormed()) return `the fileName ${name} is not well-formed Unicode`;
  return Buffer.byteLength(fileName) > 255
    ? `the fileName ${name} is longer than 255 bytes`
    : undefined;
}
