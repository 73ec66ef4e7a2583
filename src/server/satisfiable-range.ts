import type { IncomingMessage } from "node:http";

/**
 * Whether the part that a request asks for can be served (RFC 9110, 14): one range of bytes within
 * the file, and with `If-Range` only of these very bytes. Anything else is answered with the whole.
 */
export function isSatisfiableRange(
  { method, headers }: IncomingMessage,
  size: number,
  etag: string,
): boolean {
  const [, start, end] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
  if (method !== "GET" || start === undefined || end === undefined) return false;
  if (headers["if-range"] !== undefined && headers["if-range"] !== etag) return false;
  if (start === "") return Number(end) > 0 && size > 0;
  return Number(start) < size && (end === "" || Number(start) <= Number(end));
}
