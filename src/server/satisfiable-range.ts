import type { IncomingMessage } from "node:http";

/**
 * Whether a request's `Range` can be served (RFC 9110, 14): a single byte range within the file
 * and, with `If-Range`, of the same ETag. For anything else the complete file is served.
 */
export function isSatisfiableRange(
  { method, headers }: IncomingMessage,
  size: number,
  etag: string,
): boolean {
  const [, start, end] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
  if (method !== "GET" || start === undefined || end === undefined) return false;
  if (headers["if-range"] !== undefined && headers["if-range"] !== etag) return false;
  if (start === "") return Number(end) > 0 && Number(end) <= size;
  return Number(start) < size && (end === "" || Number(start) <= Number(end));
}
