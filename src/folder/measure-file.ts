import { lstatSync, readFileSync, type Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { imageSize } from "image-size";
import { lookup } from "mime-types";
import { sha256 } from "../documents/version-id.ts";
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
export function assetByBytes(
  authored: AuthoredFile,
  bytes: Uint8Array,
): AssetFile & { sha256: string } {
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
    sha256: sha256(bytes),
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

/** In bytes: what the store and a Node process can hold in one piece with room to spare. */
const LARGEST = 512 * 1024 * 1024;

/**
 * Where a file inside the folder is, or why it cannot be there: nothing outside the folder is ever
 * read, not by `..`, not by an absolute path, not through a link.
 */
export function fileOf(folder: string, path: string): { at: string; fault?: string } {
  const name = JSON.stringify(path);
  const segments = path.split(/[/\\]/);
  const at = join(folder, ...segments);
  const leaves = isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.includes("\0");
  if (leaves || segments.includes("..")) {
    return { at, fault: `the file ${name} leaves the folder; give a path inside it` };
  }
  let current = folder;
  for (const segment of segments) {
    current = join(current, segment);
    const stats = statsOf(current);
    if (stats === undefined) return { at, fault: `there is no file ${name} in the folder` };
    if (stats.isSymbolicLink()) {
      return {
        at,
        fault: `the file ${name} is or passes through a link, which may leave the folder`,
      };
    }
  }
  const stats = lstatSync(at);
  if (!stats.isFile()) return { at, fault: `${name} is not a file` };
  if (stats.size <= LARGEST) return { at };
  return { at, fault: `the file ${name} is larger than 512 MiB; give the asset a url` };
}

/** The bytes of a file that `fileOf` finds no fault in. */
export function readFileOf(folder: string, path: string): Uint8Array {
  return readFileSync(fileOf(folder, path).at);
}

/** Undefined when there is nothing at the path, nor can be: below a file, say. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** What is wrong with a `fileName`: it must be a single path segment. */
export function fileNameFault(fileName: string): string | undefined {
  const name = JSON.stringify(fileName);
  if (/[/\\\p{Cc}]/u.test(fileName) || ["", ".", ".."].includes(fileName)) {
    return `the fileName ${name} is not a single path segment`;
  }
  if (!fileName.isWellFormed()) return `the fileName ${name} is not well-formed Unicode`;
  return Buffer.byteLength(fileName) > 255
    ? `the fileName ${name} is longer than 255 bytes`
    : undefined;
}
