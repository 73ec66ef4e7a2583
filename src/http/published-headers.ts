import { contentType } from "mime-types";

export type Headers = Readonly<Record<string, string | number>>;

export const JSON_TYPE = "application/json; charset=utf-8";

export const PROBLEM_TYPE = "application/problem+json";

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** For addresses whose bytes never change. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** H1: on every response. */
export const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, X-Svc-Problems, Retry-After",
  "X-Content-Type-Options": "nosniff",
} as const;

/** H4: errors are not cached. */
export const PROBLEM_HEADERS = {
  "Content-Type": PROBLEM_TYPE,
  "Cache-Control": "no-store",
} as const;

/** H2, for documents. */
export const PUBLISHED_HEADERS = {
  "Content-Type": JSON_TYPE,
  "Cache-Control": "public, max-age=30, stale-while-revalidate=30, stale-if-error=36000",
} as const;

/** H2. */
export const PREVIEW_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
} as const;

/** H1: of the response to OPTIONS. */
export const PREFLIGHT_HEADERS = {
  Allow: ALLOWED_METHODS,
  "Access-Control-Allow-Methods": ALLOWED_METHODS,
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": 86400,
} as const;

/** Media types of uploads that must not run scripts in the origin of the API. */
export const SANDBOXED = /html|xml/;

/** Headers of an asset: immutable, since its address has the hash of its bytes. */
export function assetHeaders(fileName: string): Headers {
  const type = contentType(fileName) || "application/octet-stream";
  return {
    "Content-Type": type,
    "Cache-Control": IMMUTABLE,
    ...(SANDBOXED.test(type) && { "Content-Security-Policy": "sandbox" }),
  };
}
