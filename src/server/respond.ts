import type { ServerResponse } from "node:http";
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

export function respondProblem(
  response: ServerResponse,
  code: RequestProblem,
  headers: Headers = {},
): void {
  const { status, text } = problemDocument(code);
  respond(response, status, { ...PROBLEM_HEADERS, ...headers }, text);
}
