// The responses as documented, written out: a change of a header or a text in src/ must fail here.
import { basename } from "node:path";
import type { HostAnswer } from "./hosts.ts";
import type { Expected } from "./request-table.ts";
import { DRAWN, type RequestedSite } from "./requested-site.ts";

type Headers = Readonly<Record<string, string | null>>;

interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Headers that most responses have not. */
const NONE = Object.fromEntries(
  [
    "Content-Type",
    "Content-Length",
    "Content-Disposition",
    "Content-Security-Policy",
    "Cache-Control",
    "Last-Modified",
    "ETag",
    "X-Svc-Problems",
    "Allow",
    "Location",
    "Referrer-Policy",
    "X-Robots-Tag",
    "X-Injected",
    "Access-Control-Allow-Methods",
    "Access-Control-Allow-Headers",
    "Access-Control-Max-Age",
  ].map((name) => [name, null]),
);

/** H1: on every response. */
const COMMON: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, X-Svc-Problems, Retry-After",
  "X-Content-Type-Options": "nosniff",
};

/** H2. */
const PREVIEW: Headers = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

const METHODS = "GET, HEAD, OPTIONS";

const PREFLIGHT: Headers = {
  Allow: METHODS,
  "Access-Control-Allow-Methods": METHODS,
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
};

const JSON_TYPE = "application/json; charset=utf-8";

/** H2: a published document. */
const DOCUMENT: Headers = {
  "Content-Type": JSON_TYPE,
  "Cache-Control": "public, max-age=30, stale-while-revalidate=30, stale-if-error=36000",
};

/** V4b: of assets by extension. */
const MEDIA_TYPES: Headers = {
  png: "image/png",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
};

function assetHeaders(fileName: string): Headers {
  const extension = fileName.split(".").at(-1) ?? "";
  return {
    "Content-Type": MEDIA_TYPES[extension] ?? "application/octet-stream",
    "Cache-Control": "public, max-age=31536000, immutable",
    ...(/html|svg/.test(extension) && { "Content-Security-Policy": "sandbox" }),
  };
}

/** H4: status, title and detail by code. */
const PROBLEMS: Readonly<Record<string, readonly [number, string, string]>> = {
  "bad-request": [400, "Bad Request", "The request cannot be understood."],
  "preview-token-invalid": [401, "Unauthorized", "The preview_token is not valid."],
  "not-found": [404, "Not Found", "Nothing is published at this address."],
  "project-not-found": [404, "Not Found", "No published project has this address."],
  "schema-not-published": [
    ...([404, "Not Found", "No published schema exists. Publish the workspace first."] as const),
  ],
  "experience-not-found": [404, "Not Found", "The project has no experience with this id."],
  "experience-content-not-published": [404, "Not Found", "The experience has no content."],
  "method-not-allowed": [405, "Method Not Allowed", "Only GET, HEAD and OPTIONS are allowed."],
};

export function problemText(code: string): string {
  const [status, title, detail] = PROBLEMS[code] ?? [];
  return `${JSON.stringify({ code, detail, status, title, type: `svc:problem/${code}` })}\n`;
}

function responseFor(expected: Expected, site: RequestedSite): PlainResponse {
  if (expected === "preflight") return { status: 204, headers: PREFLIGHT, text: "" };
  if ("file" in expected) {
    const { file } = expected;
    const headers = file.startsWith("api/") ? DOCUMENT : assetHeaders(basename(file));
    return { status: 200, headers: { ...headers, ETag: "strong" }, text: site.file(file) };
  }
  if ("previewed" in expected) {
    const headers = { ...DOCUMENT, ...PREVIEW, ETag: "strong" };
    return { status: 200, headers, text: site.previewed(expected.previewed) };
  }
  if ("draftAsset" in expected) {
    const headers = { ...assetHeaders(DRAWN.asset.fileName), ...PREVIEW };
    return { status: 200, headers, text: String(DRAWN.file[1]) };
  }
  if ("draft" in expected) {
    const always = { ...PREVIEW, "Content-Type": JSON_TYPE, "X-Svc-Problems": "0" };
    const headers = { ...always, ETag: "strong" };
    return { status: 200, headers, text: site.draft(expected.draft) };
  }
  const { refused, preview } = expected;
  const [status = 0] = PROBLEMS[refused] ?? [];
  const headers = {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    ...(preview && PREVIEW),
    ...(status === 405 && { Allow: METHODS }),
  };
  return { status, headers, text: problemText(refused) };
}

/** The answer and what it should be, in a comparable form. */
export function compared(
  answer: HostAnswer,
  expected: Expected,
  site: RequestedSite,
  method = "GET",
): { actual: PlainResponse; wanted: PlainResponse } {
  const { status, headers, text } = responseFor(expected, site);
  const ETag = answer.headers.get("ETag");
  const length = answer.of === "server" && status !== 204 ? String(text.length) : null;
  const all: Headers = { ...NONE, ...COMMON, "Content-Length": length, ...headers };
  const found = Object.keys(all).map((name) => [name, answer.headers.get(name)]);
  const tagged = ETag !== null && { ETag: /^"[\x21\x23-\x7e]+"$/.test(ETag) ? "strong" : ETag };
  return {
    actual: {
      status: answer.status,
      text: answer.text,
      headers: answer.of === "bucket" ? {} : { ...Object.fromEntries(found), ...tagged },
    },
    wanted: {
      status,
      text: method === "HEAD" ? "" : text,
      headers: answer.of === "bucket" ? {} : all,
    },
  };
}
