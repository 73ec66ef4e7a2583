import { contentType } from "mime-types";
import type { Headers } from "./respond.ts";

/** A file of `out/assets/`, as a URL names it. */
export interface AssetPath {
  /** Below `out/`. */
  readonly path: string;
  readonly headers: Headers;
}

/**
 * The asset at a URL path, or undefined when none can be there.
 *
 * @throws URIError when a segment is not percent-encoded UTF-8.
 */
export function assetPathOfUrlPath(path: string): AssetPath | undefined {
  const [root, assets, hash = "", fileName = "", ...rest] = path.split("/").map(decodeURIComponent);
  if (root !== "" || assets !== "assets" || rest.length > 0) return undefined;
  if (!/^[0-9a-f]{16}$/.test(hash)) return undefined;
  if (/[/\\\0]/.test(fileName) || ["", ".", ".."].includes(fileName)) return undefined;
  const type = contentType(fileName) || "application/octet-stream";
  return {
    path: `assets/${hash}/${fileName}`,
    headers: {
      "Content-Type": type,
      // The address holds the hash of the bytes.
      "Cache-Control": "public, max-age=31536000, immutable",
      // An uploaded page or picture must not run scripts in the origin of the API.
      ...(/html|xml/.test(type) && { "Content-Security-Policy": "sandbox" }),
    },
  };
}
