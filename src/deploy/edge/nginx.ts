import { hash } from "node:crypto";
import { types } from "mime-types";
import { problemDocument, type RequestProblem, TOO_LONG } from "../../http/problem-document.ts";
import { assetHeaders, JSON_TYPE } from "../../http/published-headers.ts";
import { UsageError } from "../../workspace/errors.ts";
import { ID } from "../../workspace/ids.ts";
import { printed } from "./printed.ts";

export interface NginxOptions {
  /** The absolute path of the folder of published files. */
  readonly out: string;
  /** 80 when not given. */
  readonly port?: number;
  /** Host names, separated by spaces; any host when not given. */
  readonly serverName?: string;
  /** The absolute path of the file that requests are logged to, without their queries; `off`: none. */
  readonly accessLog: string;
  /** The `svc preview` that answers requests with a token, `http://host:port`. */
  readonly preview?: string;
}

const CODES: readonly RequestProblem[] = [
  ...(["bad-request", "not-found", "method-not-allowed", "preview-token-invalid"] as const),
  ...(["project-not-found", "schema-not-published", "experience-content-not-published"] as const),
  ...(["internal-error", "service-unavailable"] as const),
];

const NO_RANGE = {
  status: 416,
  title: "Range Not Satisfiable",
  detail: "The file has no such range.",
};

/**
 * A configuration for nginx's `http` context that answers from `out/` as `svc serve` does, or with
 * `preview` as `svc preview` does (H1 to H4). It needs nginx's default modules only.
 *
 * @throws UsageError when an option is not valid in a configuration.
 */
export function nginxConfig(options: NginxOptions): string {
  const { out, port = 80, serverName = "_", accessLog, preview } = options;
  for (const [path, use] of [[out, "serve from"] as const, [accessLog, "log to"] as const]) {
    if (!/[$\p{Cc}]/u.test(path)) continue;
    throw new UsageError(
      `nginx cannot ${use} ${JSON.stringify(path)}`,
      "use a path without $ and control characters",
    );
  }
  if (!/^[\w.*-]+( [\w.*-]+)*$/.test(serverName)) {
    throw new UsageError(
      `${JSON.stringify(serverName)} is not a list of host names`,
      'separate them by one space: --server-name "cdn.example.com www.example.com"',
    );
  }
  const previews = preview !== undefined;
  // One nginx may have several of these configurations, and a format has one definition.
  const log = `svc_${hash("sha256", JSON.stringify([out, port, serverName])).slice(0, 12)}`;
  const assets = mediaTypes();
  const withCharset = [...assets.keys(), JSON_TYPE].filter((type) => type.endsWith(CHARSET));
  const values = {
    ...Object.fromEntries(CODES.map((code) => [code, responseOf(code)])),
    "too-long": responseOf("bad-request", TOO_LONG),
    "no-range": responseOf("bad-request", NO_RANGE),
    port: String(port),
    serverName,
    out: quoted(out),
    id: ID.source.slice(1, -1),
    // H3: never published content.
    withToken: previews ? "420" : "401",
    missingAsset: previews ? "@preview" : "@not-found",
    preview: previews ? originOf(preview) : "",
    log,
    accessLog: accessLog === "off" ? "off" : `${quoted(accessLog)} ${log}`,
    charsetTypes: [...new Set(withCharset)].map(withoutCharset).filter(isListed).join(" "),
    mediaTypes: [...assets]
      .map(([type, names]) => `${withoutCharset(type)} ${names.join(" ")};`)
      .join("\n"),
  };
  return printed("nginx.conf", { preview: previews }, values);
}

function originOf(preview: string): string {
  const url = URL.parse(preview);
  if (url !== null && /^https?:$/.test(url.protocol) && preview.replace(/\/$/, "") === url.origin) {
    return url.origin;
  }
  throw new UsageError(
    `${JSON.stringify(preview)} is not the address of a preview server`,
    "give its scheme, host and port only: --preview http://127.0.0.1:4400",
  );
}

/** H4: the arguments of `return`. */
function responseOf(code: RequestProblem, differing = {}): string {
  const { status, text } = problemDocument(code, differing);
  return `${status} ${quoted(text)}`;
}

/** A text as a quoted parameter. Variables in it are still expanded. */
function quoted(text: string): string {
  const escaped = text.replace(/"|\\(?=["'\\trn]|$)/g, "\\$&").replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

/** The file extensions of each media type of assets. */
function mediaTypes(): Map<string, string[]> {
  const extensions = new Map<string, string[]>();
  for (const extension of Object.keys(types)) {
    const type = String(assetHeaders(`file.${extension}`)["Content-Type"]);
    extensions.set(type, [...(extensions.get(type) ?? []), extension]);
  }
  return extensions;
}

const CHARSET = "; charset=utf-8";

function withoutCharset(type: string): string {
  return type.replace(CHARSET, "");
}

/** nginx has text/html in each list of types, and warns where it is named. */
function isListed(type: string): boolean {
  return type !== "text/html";
}
