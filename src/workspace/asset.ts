/** V4d: the same in all languages, or by locale. */
export type AssetText = string | Readonly<Record<string, string>>;

/** One uploaded file, or one given by its address. */
export interface AssetFile {
  readonly id: string;
  /** A single path segment. */
  readonly fileName: string;
  readonly mimeType: string;
  /** Bytes; null when unknown (only for an asset given by url). */
  readonly sizeBytes: number | null;
  /** Pixels; null when unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** V4c. */
  readonly title?: AssetText;
  readonly description?: AssetText;
  /** Set when the asset is given by url. */
  readonly url?: string;
  /** Lower-case hex; set when the store holds the bytes. */
  readonly sha256?: string;
}

export interface Asset extends AssetFile {
  readonly versions?: readonly AssetFile[];
}

/** An asset file whose bytes the store holds: it is published as a file of its own. */
export interface HeldFile {
  readonly sha256: string;
  readonly fileName: string;
  /** Bytes. */
  readonly sizeBytes: number | null;
}

/**
 * The fault of a `fileName` that is not a single path segment of at most 255 bytes, or that a server
 * of static files would take for its own (W8).
 */
export function fileNameFault(fileName: string): string | undefined {
  const name = JSON.stringify(fileName);
  if (/[/\\\p{Cc}]/u.test(fileName) || ["", ".", ".."].includes(fileName)) {
    return `the fileName ${name} is not a single path segment`;
  }
  if (/^\.|^web\.config$/i.test(fileName)) {
    return `the fileName ${name} is hidden, or configures a web server; choose another`;
  }
  if (!fileName.isWellFormed()) return `the fileName ${name} is not well-formed Unicode`;
  return Buffer.byteLength(fileName) > 255
    ? `the fileName ${name} is longer than 255 bytes`
    : undefined;
}

/** Names that Windows keeps for devices, whatever follows their first dot. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** G1, P20: the name of a file as every file system takes it; most are so. */
export function portableName(name: string): string {
  const taken = name.replace(/[<>:"|?*]|[. ]$/g, "~");
  return RESERVED.test(taken) ? `~${taken}` : taken;
}

/** F1: whether it is the path of an asset below `out/`. */
export function isAssetPath(path: string): boolean {
  const [, fileName] = /^assets\/[0-9a-f]{16}\/(.+)$/s.exec(path) ?? [];
  return fileName !== undefined && fileNameFault(fileName) === undefined;
}

type FileName = Pick<HeldFile, "sha256" | "fileName">;

/** F1: the path of the bytes of an asset below `out/`. */
export function assetFilePath({ sha256, fileName }: FileName): string {
  return `assets/${sha256.slice(0, 16)}/${fileName}`;
}

/** V4b: the address of an asset whose bytes the store holds. */
export function assetUrl(assetBaseUrl: string, { sha256, fileName }: FileName): string {
  const base = assetBaseUrl.replace(/\/+$/, "");
  return `${base}/assets/${sha256.slice(0, 16)}/${encodeURIComponent(fileName)}`;
}
