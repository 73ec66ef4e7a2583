// The responses as documented, written out: a change of a header or a text in src/ must fail here.

type Headers = Readonly<Record<string, string>>;

export interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** H1: on every response. */
export const COMMON: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, X-Svc-Problems",
  "X-Content-Type-Options": "nosniff",
};

/** H2. */
const PREVIEW: Headers = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

export const PREFLIGHT: PlainResponse = {
  status: 204,
  headers: {
    Allow: "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
  },
  text: "",
};

/** H2: a published document. */
export function documentResponse(text: string): PlainResponse {
  const cached = "public, max-age=30, stale-while-revalidate=3600, stale-if-error=36000";
  return { status: 200, headers: { "Content-Type": JSON_TYPE, "Cache-Control": cached }, text };
}

const MEDIA_TYPES: Headers = {
  png: "image/png",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
};

/** An asset that was published, or one of the draft. */
export function assetResponse(fileName: string, text: string, isDraft = false): PlainResponse {
  const extension = fileName.split(".").at(-1) ?? "";
  const sandbox = /html|svg/.test(extension) && { "Content-Security-Policy": "sandbox" };
  const headers = {
    "Content-Type": MEDIA_TYPES[extension] ?? "application/octet-stream",
    "Cache-Control": "public, max-age=31536000, immutable",
    ...sandbox,
    ...(isDraft && PREVIEW),
  };
  return { status: 200, headers, text };
}

/** H5: a document of a draft without problems. */
export function draftResponse(text: string): PlainResponse {
  const headers = { ...PREVIEW, "Content-Type": JSON_TYPE, "X-Svc-Problems": "0" };
  return { status: 200, headers, text };
}

/** H4: status, title and detail by code. */
const PROBLEMS: Readonly<Record<string, readonly [number, string, string]>> = {
  "bad-request": [400, "Bad Request", "The request cannot be understood."],
  "preview-token-invalid": [401, "Unauthorized", "The preview_token is not valid."],
  "not-found": [404, "Not Found", "Nothing is published at this address."],
  "project-not-found": [404, "Not Found", "No published project has this address."],
  "schema-not-published": [
    404,
    "Not Found",
    "No published schema exists. Publish the workspace first.",
  ],
  "experience-content-not-published": [404, "Not Found", "The experience has no content."],
  "method-not-allowed": [405, "Method Not Allowed", "Only GET, HEAD and OPTIONS are allowed."],
};

export function problemResponse(code: string, isPreview = false): PlainResponse {
  const [status, title, detail] = PROBLEMS[code] ?? [0, "", ""];
  const type = `svc:problem/${code}`;
  return {
    status,
    headers: {
      "Content-Type": "application/problem+json",
      "Cache-Control": "no-store",
      ...(isPreview && PREVIEW),
      ...(status === 405 && { Allow: "GET, HEAD, OPTIONS" }),
    },
    text: `${JSON.stringify({ code, detail, status, title, type })}\n`,
  };
}
