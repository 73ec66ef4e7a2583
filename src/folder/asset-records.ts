import { closeSync, lstatSync, openSync, readFileSync, readSync, type Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { imageSize } from "image-size";
import { lookup } from "mime-types";
import { sha256 } from "../documents/version-id.ts";
import { elements } from "../records/record-rules.ts";
import type { ShapeFault } from "../records/record-shapes.ts";
import { type Asset, type AssetFile, type AssetText, fileNameFault } from "../workspace/asset.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { SourceItem } from "../workspace/source.ts";
import { isIgnored, isRecordPath, type Reading, TOOL_FILE } from "./reading.ts";

export interface AuthoredAsset extends AuthoredFile {
  readonly versions?: readonly AuthoredFile[];
}

/**
 * Faults of `fileName`, `file`, `url` and texts of an asset and its versions.
 *
 * @param assetTexts V4c: whether the workspace serves titles and descriptions.
 */
export function assetFaults(
  reading: Reading,
  asset: JsonObject,
  assetTexts: boolean,
): ShapeFault[] {
  const faultsOf = (file: JsonObject) => [
    ...fileFaults(reading, file),
    ...(assetTexts ? [] : textFaults(file)),
  ];
  return [
    ...faultsOf(asset),
    ...elements(asset.versions).flatMap(([index, version]) =>
      faultsOf(version).map((fault) => ({ ...fault, path: ["versions", index, ...fault.path] })),
    ),
  ];
}

/** V4c. */
function textFaults(file: JsonObject): ShapeFault[] {
  return ["title", "description"]
    .filter((member) => file[member] !== undefined)
    .map((member) => ({
      path: [member],
      message: `the ${member} would not be served; set "assetTexts": true in workspace.json`,
    }));
}

function fileFaults(reading: Reading, { fileName, file, url }: JsonObject): ShapeFault[] {
  const found: ShapeFault[] = [];
  const add = (member: string, message: string | undefined) => {
    if (message !== undefined) found.push({ path: [member], message });
  };
  if (typeof fileName === "string") add("fileName", fileNameFault(fileName));
  if (typeof file === "string") {
    add("file", fileFault(reading, file));
    reading.unread.addNamed(file);
    if (url !== undefined) add("url", "give the asset a file or a url, not both");
  } else if (file === undefined && url === undefined) {
    found.push({ path: [], message: "without a file, an absolute url is required" });
  } else if (typeof url === "string" && !isAbsoluteUrl(url)) {
    add("url", `the url ${JSON.stringify(url)} is not an absolute http or https URL`);
  }
  return found;
}

function isAbsoluteUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** The source items of an asset without faults: first its files, then its record. */
export function assetItems(folder: string, { versions, ...authored }: AuthoredAsset): SourceItem[] {
  const items: SourceItem[] = [];
  const measured = (one: AuthoredFile): AssetFile => {
    if (one.file === undefined) return assetByUrl(one);
    const path = pathOf(folder, one.file);
    const bytes = readFileSync(path);
    const asset = assetByBytes(one, bytes);
    items.push({ kind: "file", sha256: asset.sha256, bytes, path });
    return asset;
  };
  const record: Asset = {
    ...measured(authored),
    ...(versions !== undefined && { versions: versions.map(measured) }),
  };
  return [...items, { kind: "assets", record }];
}

interface AuthoredFile {
  readonly id: string;
  readonly fileName: string;
  readonly title?: AssetText;
  readonly description?: AssetText;
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
export function texts({ title, description }: Pick<AuthoredFile, "title" | "description">) {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
}

const UNKNOWN = "application/octet-stream";

function declaredType({ mimeType, fileName }: AuthoredFile): string {
  return mimeType ?? (lookup(fileName) || UNKNOWN);
}

/** P12: the type and size of an image; undefined: it is none. */
export function measureImage(bytes: Uint8Array) {
  try {
    // In a memory of its own: in Node's pool, what is cut off would be read of the bytes of others.
    const { type = "", width, height } = imageSize(new Uint8Array(bytes));
    const mimeType = lookup(type) || undefined;
    return { type, mimeType, width: Math.round(width), height: Math.round(height) };
  } catch {
    return undefined;
  }
}

/** In bytes: well below the limits of SQLite and Node for one blob. */
export const MAXIMUM_SIZE = 512 * 1024 * 1024;

/**
 * The fault of the path of an asset's file in the folder. Absolute paths, `..` and symbolic links are
 * faults, so that nothing outside of the folder is read, and so are files that are no content (W8).
 */
export function fileFault(reading: Reading, path: string): string | undefined {
  const plain = plainFileFault(reading, path);
  if (plain !== undefined) return plain;
  const segments = segmentsOf(path);
  if (!isRecordPath(segments.join("/")) && !isPrivate(reading.folder, path)) return undefined;
  return `the file ${JSON.stringify(path)} is no content and would be published: no asset may be a hidden file, a record, a configuration, a store, or in node_modules`;
}

/** W8: whether a file is of a person or a program, and never an asset. */
export function isPrivate(folder: string, path: string): boolean {
  const segments = segmentsOf(path);
  const name = segments.at(-1) ?? "";
  return (
    segments.some((segment) => isIgnored(segment.toLowerCase())) ||
    TOOL_FILE.test(name.toLowerCase()) ||
    CONFIGURATION.test(name) ||
    isStore(pathOf(folder, path))
  );
}

/** Of programs, and the files that SQLite and svc keep beside a store. */
const CONFIGURATION = /\.config(?:\.[^.]+)?$|-(?:wal|shm|journal|remote)$/i;

function segmentsOf(path: string): string[] {
  return path.split(SEPARATOR).filter((segment) => segment !== "" && segment !== ".");
}

/** By the application id that SQLite has in its file. */
function isStore(file: string): boolean {
  const start = Buffer.alloc(APPLICATION_ID.at + 4);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  return start.toString("latin1", APPLICATION_ID.at) === APPLICATION_ID.text;
}

const APPLICATION_ID = { at: 68, text: "svc1" };

/** The fault of the path of a file in the folder that is not there, or may be outside of it. */
export function plainFileFault({ folder, names }: Reading, path: string): string | undefined {
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
