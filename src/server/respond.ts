import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { problemDocument, type RequestProblem } from "../http/problem-document.ts";
import { COMMON_HEADERS, type Headers, PROBLEM_HEADERS } from "../http/published-headers.ts";

/** Sends a complete response. Node omits the body for HEAD. */
export function respond(
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: string | Uint8Array = "",
): void {
  const length =
    status === 204 || status === 304 ? {} : { "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...COMMON_HEADERS, ...length, ...headers });
  response.end(body);
}

/** H2: the strong ETag of bytes, given their SHA-256 in hex. */
export function etagOf(sha256: string): string {
  return `"${sha256.slice(0, 32)}"`;
}

export function etagOfBytes(bytes: Uint8Array): string {
  return etagOf(hash("sha256", bytes));
}

/** H2: whether the client has this answer (RFC 9110, 13.1.2: `*`, or a list of tags, of which weak ones count too). */
export function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  const tags = headers["if-none-match"] ?? "";
  return tags.trim() === "*" || (tags.match(/"[^"]*"/g)?.includes(etag) ?? false);
}

/** H2: responds with 304. */
export function respondNotModified(
  response: ServerResponse,
  { "Content-Type": _none, ...headers }: Headers,
): void {
  respond(response, 304, headers);
}

/** Sends bytes with their ETag, or 304 to a client that has them (H52). */
export function respondTagged(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Headers,
  bytes: Uint8Array,
  ETag = etagOfBytes(bytes),
): void {
  if (isKnown(request, ETag)) respondNotModified(response, { ...headers, ETag });
  else respond(response, 200, { ...headers, ETag }, bytes);
}

export function respondProblem(
  response: ServerResponse,
  code: RequestProblem,
  headers: Headers = {},
): void {
  const { status, text } = problemDocument(code);
  respond(response, status, { ...PROBLEM_HEADERS, ...headers }, text);
}
