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

/** H2: whether the client had these bytes (RFC 9110, 13.1.2: weak tags count too), and so got 304. */
export function respondedNotModified(
  { headers: asked }: IncomingMessage,
  response: ServerResponse,
  { "Content-Type": _none, ...headers }: Headers & { ETag: string },
): boolean {
  const tags = asked["if-none-match"] ?? "";
  const isKnown = tags.trim() === "*" || tags.match(/"[^"]*"/g)?.includes(headers.ETag) === true;
  if (isKnown) respond(response, 304, headers);
  return isKnown;
}

export function respondProblem(
  response: ServerResponse,
  code: RequestProblem,
  headers: Headers = {},
): void {
  const { status, text } = problemDocument(code);
  respond(response, status, { ...PROBLEM_HEADERS, ...headers }, text);
}
