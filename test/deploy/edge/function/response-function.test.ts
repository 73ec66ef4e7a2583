import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { printResponseFunction } from "../../../../src/deploy/edge/function/print-response-function.ts";
import { IMMUTABLE, PUBLISHED_HEADERS } from "../../../../src/http/published-headers.ts";

/** The Cache-Control that a viewer gets. */
function viewed(statusCode: number, stored: string | undefined, querystring: object): string {
  const headers = stored === undefined ? {} : { "cache-control": { value: stored } };
  const event = { request: { querystring }, response: { statusCode, headers } };
  const response = runInNewContext(`${printResponseFunction()}; handler(event)`, { event });
  return response.headers["cache-control"]?.value;
}

const H2 = PUBLISHED_HEADERS["Cache-Control"];
const TOKEN = { preview_token: { value: "t" } };

it.each([
  ["a release's document", 200, IMMUTABLE, {}, H2],
  ["the same, unchanged", 304, IMMUTABLE, {}, H2],
  ["a part of it", 206, IMMUTABLE, {}, H2],
  ["an object without the header", 200, undefined, {}, H2],
  ["a preview", 200, "no-store", TOKEN, "no-store"],
  ["a preview whose origin sends no header", 200, undefined, TOKEN, "no-store"],
  ["a response with no-store", 200, "private, No-Store", {}, "no-store"],
  ["a problem", 404, "no-store", {}, "no-store"],
  ["a problem that may be cached", 404, "max-age=5", {}, "max-age=5"],
] as const)(
  "H2: viewers get the right Cache-Control for %s (%i, stored %s)",
  (_, status, stored, query, expected) => {
    expect(viewed(status, stored, query)).toBe(expected);
  },
);
