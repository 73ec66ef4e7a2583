import { type Address, filePath, projectFolder, urlPath } from "../../../documents/address.ts";
import {
  NOT_PUBLISHED,
  problemDocument,
  type RequestProblem,
} from "../../../http/problem-document.ts";
import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  type Headers,
  PREFLIGHT_HEADERS,
  PREVIEW_HEADERS,
  PROBLEM_HEADERS,
} from "../../../http/published-headers.ts";
import { ID } from "../../../workspace/ids.ts";
import { POINTER, RELEASES, TOKEN } from "../../releases/keys.ts";
import { ANSWERS, IN_PLACE_HANDLER, RELEASE_HANDLER, REQUESTS } from "./edge-function-source.ts";
import { RETRY_AFTER } from "./retry-after.ts";

export interface EdgeFunctionOptions {
  /** Whether a KeyValueStore tells which release is live; else the bucket is served in place. */
  readonly kvs: boolean;
  /** The id of the distribution's origin that renders previews; "preview" when not given. */
  readonly preview?: string;
}

/** The most bytes that CloudFront takes for a function. */
export const MOST_FUNCTION_BYTES = 10_240;

/**
 * The text of a CloudFront Function for viewer requests, runtime `cloudfront-js-2.0`, that answers
 * as `svc serve` does (H1, H3, H4) in front of a bucket that `svc deploy` filled.
 */
export function edgeFunction({ kvs, preview = "preview" }: EdgeFunctionOptions): string {
  const facts = [...commonFacts(), ...(kvs ? releaseFacts(preview) : [])];
  return [
    `// Printed by svc cdn function${kvs ? "" : " --no-kvs"}: print it again rather than change it.`,
    ...(kvs ? ["import cf from 'cloudfront';", "const crypto = require('crypto');"] : []),
    "",
    ...facts.map(([name, value]) => `const ${name} = ${value};`),
    "",
    [kvs ? RELEASE_HANDLER : IN_PLACE_HANDLER, REQUESTS, ANSWERS].join("\n"),
  ].join("\n");
}

type Facts = [name: string, value: string][];

/** All that the function knows of the API, read from where the server reads it. */
function commonFacts(): Facts {
  return [
    ["ID", whole(ID.source.slice(1, -1))],
    ["ROOT", JSON.stringify(`/${projectFolder("")}`.split("/").slice(0, -1))],
    ["HASH", whole("[0-9a-f]{16}")],
    ["COMMON", JSON.stringify(headers(COMMON_HEADERS))],
    ["PREFLIGHT", JSON.stringify(headers(PREFLIGHT_HEADERS))],
    ["PROBLEM", JSON.stringify(headers(PROBLEM_HEADERS))],
    ["PREVIEW", JSON.stringify(headers(PREVIEW_HEADERS))],
    ["ALLOW", JSON.stringify(headers({ Allow: ALLOWED_METHODS }))],
    ["RETRY", JSON.stringify(headers({ "Retry-After": RETRY_AFTER }))],
    ["PROBLEMS", problems()],
  ];
}

function releaseFacts(preview: string): Facts {
  return [
    ["kvs", "cf.kvs()"],
    ["POINTER", JSON.stringify(POINTER)],
    ["TOKEN", JSON.stringify(TOKEN)],
    ["RELEASES", JSON.stringify(`/${RELEASES}`)],
    ["RELEASE", whole(`${ID.source.slice(1, -1)}/[0-9a-f]{32}-[0-9a-f]{12}`)],
    ["TIME", whole("[0-9]+")],
    ["ENDINGS", JSON.stringify(ENDINGS)],
    ["NOT_PUBLISHED", JSON.stringify(NOT_PUBLISHED)],
    ["PREVIEW_ORIGIN", JSON.stringify(preview)],
  ];
}

/** An expression for a whole text. Before a final newline, njs takes `$` for the end. */
function whole(pattern: string): string {
  return String(new RegExp(String.raw`^${pattern}(?![\s\S])`));
}

/** H1, F1: what the path of a document's file has more than that of its URL. */
const ENDINGS: Readonly<Record<Address["kind"], string>> = {
  project: ending({ kind: "project", projectId: "p" }),
  schema: ending({ kind: "schema", projectId: "p" }),
  content: ending({ kind: "content", projectId: "p", experienceId: "e" }),
};

function ending(address: Address): string {
  const [url, file] = [urlPath(address), `/${filePath(address)}`];
  if (!file.startsWith(url)) throw new Error(`${file} is not beside ${url}`);
  return file.slice(url.length);
}

/** H4: status, title and text of every problem that the function tells, by code. */
function problems(): string {
  const lines = TOLD.map((code) => {
    const { status, text } = problemDocument(code);
    return `  ${JSON.stringify(code)}: ${JSON.stringify([status, JSON.parse(text).title, text])}`;
  });
  return `{\n${lines.join(",\n")}\n}`;
}

const TOLD: readonly RequestProblem[] = [
  "bad-request",
  "preview-token-invalid",
  ...Object.values(NOT_PUBLISHED),
  "not-found",
  "method-not-allowed",
  "service-unavailable",
];

/** In CloudFront's shape: lower-case names, texts as `value`. */
function headers(given: Headers): Record<string, { value: string }> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), { value: String(value) }]),
  );
}
