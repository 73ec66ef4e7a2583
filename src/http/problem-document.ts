import type { Address } from "../documents/address.ts";
import { canonicalJson } from "../documents/canonical-json.ts";
import { ERROR_STATUS } from "../workspace/error-codes.ts";
import type { SvcError } from "../workspace/errors.ts";

/** H4: status, title and detail by code. */
const PROBLEMS = {
  "preview-token-invalid": [401, "Unauthorized", "The preview_token is not valid."],
  "access-key-invalid": [
    401,
    "Unauthorized",
    "The access key is not valid. Open the link that the preview printed when it started.",
  ],
  "project-not-found": [404, "Not Found", "No published project has this address."],
  "experience-not-found": [404, "Not Found", "The project has no experience with this id."],
  "experience-content-not-published": [404, "Not Found", "The experience has no content."],
  "schema-not-published": [
    404,
    "Not Found",
    "No published schema exists. Publish the workspace first.",
  ],
  "not-found": [404, "Not Found", "Nothing is published at this address."],
  "method-not-allowed": [405, "Method Not Allowed", "Only GET, HEAD and OPTIONS are allowed."],
  "bad-request": [400, "Bad Request", "The request cannot be understood."],
  "host-not-allowed": [
    421,
    "Misdirected Request",
    "This preview is not reached by this name. --allow-host <name> allows it.",
  ],
  "origin-refused": [403, "Forbidden", "Only the preview page itself may do this."],
  "not-loopback": [
    403,
    "Forbidden",
    "This is done only on the computer that runs the preview, at its address 127.0.0.1 or localhost.",
  ],
  "document-too-large": [
    422,
    "Unprocessable Content",
    "The document has more than 64 MB, so it is neither published nor previewed. svc check says through which entry.",
  ],
  "body-too-large": [413, "Content Too Large", "The request has more than 1 MiB."],
  "file-too-large": [
    413,
    "Content Too Large",
    "The file has more than 20 MB. Make it smaller first: a picture of 2,500 pixels, saved as JPEG or WebP, is sharp on any screen.",
  ],
  "content-type-refused": [
    415,
    "Unsupported Media Type",
    "The body of the request must be application/json, or of a file application/octet-stream.",
  ],
  "service-unavailable": [503, "Service Unavailable", "The service cannot answer now. Try again."],
  "internal-error": [500, "Internal Server Error", "The server failed. Its own output says why."],
} as const satisfies Record<string, readonly [number, string, string]>;

export type RequestProblem = keyof typeof PROBLEMS;

/** H4: the code for a missing document. */
export const NOT_PUBLISHED: Readonly<Record<Address["kind"], RequestProblem>> = {
  project: "project-not-found",
  schema: "schema-not-published",
  content: "experience-content-not-published",
};

/** Overrides for `bad-request` when the request line or headers are too long. */
export const TOO_LONG = {
  status: 431,
  title: "Request Header Fields Too Large",
  detail: "The address or the headers are too long.",
} as const;

/** Overrides for `bad-request` when a request is not complete in time. */
export const TOO_SLOW = {
  status: 408,
  title: "Request Timeout",
  detail: "The request took too long to arrive.",
} as const;

/** A problem document (RFC 9457) with its HTTP status, including its final newline. */
export function problemDocument(
  code: RequestProblem,
  differing: { readonly status?: number; readonly title?: string; readonly detail?: string } = {},
): { status: number; text: string } {
  const [usualStatus, usualTitle, usualDetail] = PROBLEMS[code];
  const { status = usualStatus, title = usualTitle, detail = usualDetail } = differing;
  const document = { type: `svc:problem/${code}`, title, status, detail, code };
  return { status, text: `${canonicalJson(document)}\n` };
}

/** What is refused as the command line would refuse it. */
export function refusalDocument({ code, message, hint }: SvcError): {
  status: number;
  text: string;
} {
  const status = REFUSAL_STATUS[ERROR_STATUS[code]];
  const document = { type: `svc:problem/${code}`, title: "Refused", status, detail: message, code };
  return {
    status,
    text: `${canonicalJson({ ...document, ...(hint !== undefined && { hint }) })}\n`,
  };
}

/** By exit status. */
const REFUSAL_STATUS = { 1: 422, 2: 404, 3: 409, 4: 409 } as const;

/** F1: `out/404.json`, which a static host serves for unknown addresses. */
export const NOT_FOUND_DOCUMENT = problemDocument("not-found").text;

/** `503.json`, which a CDN serves when the bucket fails. */
export const UNAVAILABLE_DOCUMENT = problemDocument("service-unavailable").text;
