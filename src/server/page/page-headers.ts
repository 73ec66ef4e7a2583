/**
 * Of every response of the page: it loads and runs only its own files, cannot be framed, and cannot
 * be read by other origins.
 */
export const PAGE_HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types live-worker",
  ].join("; "),
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
  "Cache-Control": "public, max-age=31536000, immutable",
} as const;

/**
 * An html asset is untrusted content: it has an opaque origin, runs no scripts, and neither loads
 * nor sends anything.
 */
export const HTML_ASSET_HEADERS = {
  ...PAGE_HEADERS,
  "Content-Security-Policy":
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  "Content-Type": "text/html; charset=utf-8",
  "X-DNS-Prefetch-Control": "off",
} as const;
