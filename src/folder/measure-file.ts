import { lstatSync, type Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { imageSize } from "image-size";
import { lookup } from "mime-types";
import { sha256 } from "../documents/version-id.ts";
import type { AssetFile } from "../workspace/asset.ts";
import type { Reading } from "./reading.ts";

/** An asset or a version of one, as authored. */
export interface AuthoredFile {
  readonly id: string;
  readonly fileName: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly url?: string;
  readonly file?: string;
  readonly sizeBytes?: number;
  readonly width?: number;
  readonly height?: number;
}

/** An asset given by url: as authored, with null for unknown sizes. */
export function assetByUrl(authored: AuthoredFile): AssetFile {
  const { id, fileName, sizeBytes = null, width = null, height = null, url = "" } = authored;
  const mimeType = declaredType(authored);
  return { id, fileName, ...texts(authored), mimeType, sizeBytes, width, height, url };
}

/** An asset with its bytes: size, type and pixel size are measured, authored values are ignored. */
export function assetByBytes(
  authored: AuthoredFile,
  bytes: Uint8Array,
): AssetFile & { sha256: string } {
  const { id, fileName } = authored;
  const stated = declaredType(authored);
  const image = stated.startsWith("image/") || stated === UNKNOWN ? measureImage(bytes) : undefined;
  return {
    id,
    fileName,
    ...texts(authored),
    mimeType: image?.mimeType ?? stated,
    sizeBytes: bytes.byteLength,
    width: image?.width ?? null,
    height: image?.height ?? null,
    sha256: sha256(bytes),
  };
}

/** V4c. */
function texts({ title, description }: AuthoredFile) {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
}

const UNKNOWN = "application/octet-stream";

function declaredType({ mimeType, fileName }: AuthoredFile): string {
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

/** In bytes: well below the limits of SQLite and Node for one blob. */
const MAXIMUM_SIZE = 512 * 1024 * 1024;

/**
 * The fault of the path of a file in the folder. Absolute paths, `..` and symbolic links are faults,
 * so that nothing outside of the folder is read.
 */
export function fileFault({ folder, names }: Reading, path: string): string | undefined {
  const name = JSON.stringify(path);
  const segments = path.split(SEPARATOR);
  const leaves = isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.includes("\0");
  if (leaves || segments.includes("..")) {
    return `the file ${name} leaves the folder; use a path inside it`;
  }
  let current = folder;
  for (const segment of segments) {
    current = join(current, segment);
    const stats = statsOf(current);
    if (stats === undefined) return `there is no file ${name} in the folder`;
    if (stats.isSymbolicLink()) {
      return `the path of the file ${name} has a symbolic link, which may leave the folder; use a copy`;
    }
  }
  const stats = lstatSync(current);
  if (!stats.isFile()) return `${name} is not a file`;
  // W1.
  if (!names.has(...segments)) return `there is no file ${name}, but one in other letter case`;
  return stats.size > MAXIMUM_SIZE
    ? `the file ${name} is larger than 512 MiB; give the asset a url`
    : undefined;
}

/** The absolute path of a file without a fault. */
export function pathOf(folder: string, path: string): string {
  return join(folder, ...path.split(SEPARATOR));
}

const SEPARATOR = /[/\\]/;

/** Undefined when nothing is at the path, or part of it is a file. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** The fault of a `fileName` that is not a single path segment of at most 255 bytes. */
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
