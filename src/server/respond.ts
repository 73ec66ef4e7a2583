import type { ServerResponse } from "node:http";
import { problemDocument, type RequestProblem } from "../documents/problem-document.ts";

export type Headers = Readonly<Record<string, string | number>>;

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** On every answer: readable from any origin (H1), and taken for nothing but what it says it is. */
export const COMMON_HEADERS: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, X-Svc-Problems",
  "X-Content-Type-Options": "nosniff",
};

export const JSON_TYPE = "application/json; charset=utf-8";

/** H2, for documents. */
export const PUBLISHED_HEADERS: Headers = {
  "Content-Type": JSON_TYPE,
  "Cache-Control": "public, max-age=30, stale-while-revalidate=3600, stale-if-error=36000",
};

/** H2. */
export const PREVIEW_HEADERS: Headers = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

/** Answers with a whole body. Node leaves it out by itself where the request is HEAD. */
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

/** H4. */
export function respondProblem(
  response: ServerResponse,
  code: RequestProblem,
  headers: Headers = {},
): void {
  const { status, text } = problemDocument(code);
  respond(
    response,
    status,
    { "Cache-Control": "no-store", ...headers, "Content-Type": "application/problem+json" },
    text,
  );
}
