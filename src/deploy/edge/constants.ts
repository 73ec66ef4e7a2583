/** All that the edge functions know of the API, derived from what the server uses. */

import { type Address, filePath, projectFolder, urlPath } from "../../documents/address.ts";
import {
  NOT_PUBLISHED,
  problemDocument,
  type RequestProblem,
} from "../../http/problem-document.ts";
import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  type Headers,
  PREFLIGHT_HEADERS,
  PREVIEW_HEADERS,
  PROBLEM_HEADERS,
  PUBLISHED_HEADERS,
} from "../../http/published-headers.ts";
import { ID as ID_PATTERN } from "../../workspace/ids.ts";
import { RELEASES } from "../releases/keys.ts";

export { NOT_PUBLISHED } from "../../http/problem-document.ts";
export { SANDBOXED } from "../../http/published-headers.ts";
export { POINTER, POINTERS, TOKEN } from "../releases/keys.ts";

const ID_SOURCE = ID_PATTERN.source.slice(1, -1);

export const ID = entire(ID_SOURCE);
export const HASH = entire("[0-9a-f]{16}");
export const RELEASE = entire(`${ID_SOURCE}/[0-9a-f]{32}-[0-9a-f]{12}`);
export const TIME = entire("[0-9]+");

/** The parts of the path above a project. */
export const ROOT = `/${projectFolder("")}`.split("/").slice(0, -1);
export const RELEASES_PATH = `/${RELEASES}`;

/** H3b: names of a query. A function has about a millisecond. */
export const MAX_NAMES = 50;
/** Characters of an encoded token. */
export const MAX_TOKEN = 1_000;
/** Of a path, at which it is cut. */
export const MAX_PARTS: number = ROOT.length + 5;

/** Milliseconds for which a worker takes pointers for what is live. */
export const FRESH = 2_000;

/** The id of the distribution's origin for previews, unless another one is given. */
export const PREVIEW_ORIGIN: string = "preview";

export const COMMON = headers(COMMON_HEADERS);
export const PREFLIGHT = headers(PREFLIGHT_HEADERS);
export const PROBLEM = headers(PROBLEM_HEADERS);
export const PREVIEW = headers(PREVIEW_HEADERS);
export const ALLOW = headers({ Allow: ALLOWED_METHODS });
export const RETRY = headers({ "Retry-After": 5 });
export const NO_STORE = { value: PREVIEW_HEADERS["Cache-Control"] };
export const PUBLISHED = { value: PUBLISHED_HEADERS["Cache-Control"] };

/** H1, F1: what a document's file path has after its URL path. */
export const ENDINGS: Readonly<Record<Address["kind"], string>> = {
  project: ending({ kind: "project", projectId: "p" }),
  schema: ending({ kind: "schema", projectId: "p" }),
  content: ending({ kind: "content", projectId: "p", experienceId: "e" }),
};

const CODES: readonly RequestProblem[] = [
  "bad-request",
  "preview-token-invalid",
  ...Object.values(NOT_PUBLISHED),
  "not-found",
  "method-not-allowed",
  "service-unavailable",
];

/** H4: status, title and body of each problem document, by code. */
export const PROBLEMS: Readonly<Record<string, readonly [number, string, string]>> =
  Object.fromEntries(
    CODES.map((code) => {
      const { status, text } = problemDocument(code);
      return [code, [status, JSON.parse(text).title, text]];
    }),
  );

/** Matches complete texts only; not by `$`, which njs also matches before a final newline. */
function entire(pattern: string): RegExp {
  return new RegExp(String.raw`^${pattern}(?![\s\S])`);
}

function ending(address: Address): string {
  const [url, file] = [urlPath(address), `/${filePath(address)}`];
  if (!file.startsWith(url)) throw new Error(`${file} does not begin with ${url}`);
  return file.slice(url.length);
}

/** In CloudFront's shape: lower-case names, texts as `value`. */
function headers(given: Headers): Record<string, { value: string }> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), { value: String(value) }]),
  );
}
