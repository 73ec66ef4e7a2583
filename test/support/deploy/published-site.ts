import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { problemDocument, type RequestProblem } from "../../../src/http/problem-document.ts";
import {
  COMMON_HEADERS,
  PREFLIGHT_HEADERS,
  PREVIEW_HEADERS,
  PROBLEM_TYPE,
  PUBLISHED_HEADERS,
} from "../../../src/http/published-headers.ts";

/** The version of the site's documents. */
export const VERSION = "0".repeat(32);

/** A fault of a site. */
export type SiteFault =
  | "no problem documents"
  | "serves published to a bad token"
  | "caches refusals"
  | "answers POST"
  | "no preflight"
  | "no CORS"
  | "immutable"
  | "no ETag"
  | "an older schema"
  | "an older content"
  | "immutable when unchanged"
  | "never unchanged"
  | "not compressed"
  | "shows the bucket"
  | "shows releases";

/** Responds as a distribution of the project `site` does, except for the fault. */
export function publishedSite(fault?: SiteFault): RequestListener {
  return (request, response) => {
    const url = new URL(request.url ?? "/", "http://site");
    const common = fault === "no CORS" ? {} : COMMON_HEADERS;
    const answer = (
      status: number,
      headers: Record<string, string | number>,
      body: string | Buffer,
    ) => {
      response.writeHead(status, { ...common, ...headers });
      response.end(body);
    };
    const refuse = (problem: RequestProblem, more: Record<string, string | number> = {}) => {
      const { status, text } = problemDocument(problem);
      const type = fault === "no problem documents" ? "text/html" : PROBLEM_TYPE;
      answer(status, { "Cache-Control": "no-store", "Content-Type": type, ...more }, text);
    };
    if (request.method === "OPTIONS" && fault !== "no preflight")
      return answer(204, PREFLIGHT_HEADERS, "");
    if (request.method === "POST" && fault !== "answers POST") {
      return refuse("method-not-allowed", { Allow: PREFLIGHT_HEADERS.Allow });
    }
    const hasToken = url.searchParams.has("preview_token");
    if (hasToken && fault !== "serves published to a bad token") {
      const caching =
        fault === "caches refusals" ? { "Cache-Control": "max-age=30" } : PREVIEW_HEADERS;
      return refuse("preview-token-invalid", caching);
    }
    const shown =
      (fault === "shows the bucket" && url.pathname === "/manifest.json") ||
      (fault === "shows releases" && url.pathname.startsWith("/r/shop/"));
    const isDocument = /^\/api\/v1\/projects\/site(\/schema|\/experiences\/home\/content)?$/.test(
      url.pathname,
    );
    if (!shown && !isDocument) return refuse("project-not-found");
    const [kind = "config"] = /schema|content/.exec(url.pathname) ?? [];
    const versionId = fault === `an older ${kind}` ? "f".repeat(32) : VERSION;
    const body = JSON.stringify({
      [kind === "schema" ? "x-svc-version-id" : "versionId"]: versionId,
      experiences: [{ id: "home" }],
      filler: "x".repeat(2000),
    });
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    const immutable = { "Cache-Control": "public, max-age=31536000, immutable" };
    const headers = {
      ...PUBLISHED_HEADERS,
      ...(fault === "immutable" && immutable),
      ...(fault !== "no ETag" && { ETag: etag }),
    };
    if (request.headers["if-none-match"] === etag && fault !== "never unchanged") {
      return answer(
        304,
        { ...headers, ...(fault === "immutable when unchanged" && immutable) },
        "",
      );
    }
    const encoding = fault === "not compressed" ? undefined : request.headers["accept-encoding"];
    if (encoding === "gzip")
      return answer(200, { ...headers, "Content-Encoding": "gzip" }, gzipSync(body));
    if (encoding === "br") {
      return answer(200, { ...headers, "Content-Encoding": "br" }, brotliCompressSync(body));
    }
    answer(200, headers, body);
  };
}

/** Redirects to https, as CloudFront does. */
export const redirecting: RequestListener = (request, response) => {
  response.writeHead(301, { Location: `https://site.example${request.url}` });
  response.end();
};
