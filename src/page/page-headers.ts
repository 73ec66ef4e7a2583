import { type Headers, IMMUTABLE } from "../http/published-headers.ts";

/**
 * Of every response of the page: it loads and runs only its own files, cannot be framed, and cannot
 * be read by other origins.
 */
export const PAGE_HEADERS = {
  "Content-Security-Policy": policy([], []),
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
} as const;

/** Of what the page consists of, whose names change with their bytes. It shows nothing of a draft. */
export const PART_HEADERS = {
  ...PAGE_HEADERS,
  "Cache-Control": IMMUTABLE,
} as const;

/**
 * H9: an html asset is untrusted content: it has an opaque origin, runs no scripts, and neither loads
 * nor sends anything.
 */
export const HTML_ASSET_HEADERS = {
  ...PAGE_HEADERS,
  "Content-Security-Policy":
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  "Content-Type": "text/html; charset=utf-8",
  "X-DNS-Prefetch-Control": "off",
} as const;

/** The site has another origin, and its pages outlive a new version of the program. */
export const SITE_SCRIPT_HEADERS = {
  ...PAGE_HEADERS,
  "Cache-Control": "public, max-age=60",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/**
 * @param hosts whose pictures and films it may load, as `IMAGE_HOST` allows them
 * @param sites the origins that it may frame, as `siteTemplate` allows them
 */
function policy(hosts: readonly string[], sites: readonly string[]): string {
  const media = ["'self'", ...hosts].join(" ");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "connect-src 'self'",
    ["frame-src 'self'", ...sites].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types live-worker",
  ].join("; ");
}

/** H26, H46b: of the page's document, whose policy is that of the page. */
export function shellHeaders(hosts: readonly string[], sites: readonly string[]): Headers {
  return { ...PAGE_HEADERS, "Content-Security-Policy": policy(hosts, sites) };
}
