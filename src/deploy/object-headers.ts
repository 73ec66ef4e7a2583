import { addressOfFilePath } from "../documents/address.ts";
import {
  assetHeaders,
  type Headers,
  IMMUTABLE,
  JSON_TYPE,
  PROBLEM_HEADERS,
  PUBLISHED_HEADERS,
} from "../http/published-headers.ts";

/** Headers of a document in a release: immutable, since its key has the release's hash. */
export const RELEASED_HEADERS: Headers = { "Content-Type": JSON_TYPE, "Cache-Control": IMMUTABLE };

/** For objects that only svc reads. */
export const UNCACHED_JSON: Headers = { "Content-Type": JSON_TYPE, "Cache-Control": "no-store" };

/** Headers of a file of `out/` that is deployed in place. */
export function objectHeaders(path: string): Headers {
  if (addressOfFilePath(path) !== undefined) return PUBLISHED_HEADERS;
  if (!path.startsWith("assets/")) return PROBLEM_HEADERS;
  return assetHeaders(path.slice(path.lastIndexOf("/") + 1));
}
