import { assetHeaders, type Headers } from "../http/published-headers.ts";

/** A file of `out/assets/` with its response headers. */
export interface AssetPath {
  /** Relative to `out/`. */
  readonly path: string;
  readonly headers: Headers;
}

/**
 * The asset at a URL path; undefined when the path cannot be an asset's.
 *
 * @throws URIError when a segment is not percent-encoded UTF-8.
 */
export function assetPathOfUrlPath(path: string): AssetPath | undefined {
  const [root, assets, hash = "", fileName = "", ...rest] = path.split("/").map(decodeURIComponent);
  if (root !== "" || assets !== "assets" || rest.length > 0) return undefined;
  if (!/^[0-9a-f]{16}$/.test(hash)) return undefined;
  if (/[/\\\0]/.test(fileName) || ["", ".", ".."].includes(fileName)) return undefined;
  return { path: `assets/${hash}/${fileName}`, headers: assetHeaders(fileName) };
}
