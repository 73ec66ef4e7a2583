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
  readonly title?: string;
  readonly description?: string;
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
