import { NOT_PUBLISHED, type RequestProblem, TOO_LONG } from "../../../http/problem-document.ts";
import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  type Headers,
  PREFLIGHT_HEADERS,
  PREVIEW_HEADERS,
  PROBLEM_TYPE,
} from "../../../http/published-headers.ts";
import { RETRY_AFTER } from "../retry-after.ts";
import { addHeaders, block, problemReturn, problemsAt } from "./nginx-blocks.ts";

/**
 * 418 and 420 are never sent: they select the locations that answer. Requests that nginx refuses
 * before it has a path cannot use a named location, but a path with `..`, which no client can
 * request.
 */
export const REFUSALS = [
  ...[
    "error_page 418 = @preflight;",
    "error_page 400 411 412 413 501 = /../refused;",
    "error_page 416 = /../no-range;",
    "error_page 401 = @preview-token-invalid;",
    "error_page 404 = @not-found;",
    "error_page 405 = @method-not-allowed;",
    "error_page 414 431 494 = /../too-long;",
    "error_page 403 500 = @internal-error;",
    "error_page 502 503 504 = @service-unavailable;",
    "recursive_error_pages on;",
  ],
  ...[
    "",
    "set $svc_check $svc_verdict;",
    'if ($uri ~ "^/\\.\\./") { set $svc_check ""; }',
    "if ($svc_check = preflight) { return 418; }",
    "if ($svc_check = method) { return 405; }",
    "if ($svc_check = malformed) { return 400; }",
    "if ($svc_check = ambiguous) { return 404; }",
  ],
].join("\n");

/** Requests that nginx itself refuses, checked in the server's order. */
export const REFUSED = block(
  "location = /../refused",
  [
    "if ($svc_verdict = preflight) { return 418; }",
    "if ($svc_verdict = method) { return 405; }",
    problemsAt(),
    `if ($svc_verdict = malformed) { ${problemReturn("bad-request")} }`,
    `if ($svc_no_uri) { ${problemReturn("not-found")} }`,
    problemReturn("bad-request"),
  ].join("\n"),
);

const NO_RANGE = {
  status: 416,
  title: "Range Not Satisfiable",
  detail: "The file has no such range.",
};

/** H4: the locations of the problem documents, and 404 for all other paths. */
export const PROBLEM_LOCATIONS = [
  block("location /", "return 404;"),
  block(
    "location @preflight",
    [addHeaders({ ...COMMON_HEADERS, ...PREFLIGHT_HEADERS }), "return 204;"].join("\n"),
  ),
  problemLocation("preview-token-invalid", PREVIEW_HEADERS, "access_log off;"),
  ...Object.values(NOT_PUBLISHED).map((code) => problemLocation(code)),
  problemLocation("not-found"),
  problemLocation("method-not-allowed", { Allow: ALLOWED_METHODS }),
  block(
    "location = /../too-long",
    [problemsAt(), problemReturn("bad-request", TOO_LONG)].join("\n"),
  ),
  block(
    "location = /../no-range",
    [
      "# nginx has already added the headers of the file.",
      "types { }",
      `default_type ${PROBLEM_TYPE};`,
      problemReturn("bad-request", NO_RANGE),
    ].join("\n"),
  ),
  problemLocation("internal-error"),
  problemLocation("service-unavailable", { "Retry-After": RETRY_AFTER }),
].join("\n\n");

function problemLocation(
  code: RequestProblem,
  headers: Headers = {},
  ...more: readonly string[]
): string {
  return block(`location @${code}`, [...more, problemsAt(headers), problemReturn(code)].join("\n"));
}
