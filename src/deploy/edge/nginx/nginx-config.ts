import { type Address, filePath, urlPath } from "../../../documents/address.ts";
import { NOT_PUBLISHED } from "../../../http/problem-document.ts";
import {
  COMMON_HEADERS,
  IMMUTABLE,
  JSON_TYPE,
  PUBLISHED_HEADERS,
} from "../../../http/published-headers.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { ID } from "../../../workspace/ids.ts";
import { mediaTypes } from "./media-types.ts";
import { addHeaders, block, quoted } from "./nginx-blocks.ts";
import { MAPS } from "./nginx-maps.ts";
import { PROBLEM_LOCATIONS, REFUSALS, REFUSED } from "./nginx-refusals.ts";

export interface NginxOptions {
  /** The absolute path of the folder of published files. */
  readonly out: string;
  /** 80 when not given. */
  readonly port?: number;
  /** Host names, separated by spaces; any host when not given. */
  readonly serverName?: string;
  /** The `svc preview` that answers requests with a token, `http://host:port`. */
  readonly preview?: string;
}

/**
 * A configuration for nginx's `http` context that answers from `out/` as `svc serve` does, or with
 * `preview` as `svc preview` does (H1 to H4). It needs nginx's default modules only.
 *
 * @throws UsageError when an option is not valid in a configuration.
 */
export function nginxConfig({ out, port = 80, serverName = "_", preview }: NginxOptions): string {
  if (/[$\p{Cc}]/u.test(out)) {
    throw new UsageError(
      `nginx cannot serve from ${JSON.stringify(out)}`,
      "use a path without $ and control characters",
    );
  }
  if (!/^[\w.*-]+( [\w.*-]+)*$/.test(serverName)) {
    throw new UsageError(
      `${JSON.stringify(serverName)} is not a list of host names`,
      'separate them by one space: --server-name "cdn.example.com www.example.com"',
    );
  }
  const parts = [
    settings(out, port, serverName),
    REFUSALS,
    documents(preview !== undefined),
    ...(preview === undefined ? [] : [previewed(preview)]),
    REFUSED,
    PROBLEM_LOCATIONS,
    assets(preview !== undefined),
  ];
  return [INTRODUCTION, MAPS, block("server", parts.join("\n\n")), ""].join("\n");
}

const INTRODUCTION = `# Printed by svc cdn nginx: print it again instead of editing it. Include it in the http context, for
# example as a file of /etc/nginx/conf.d/.
# It answers as svc serve does, except: an ETag is derived from the time and size of a file, not from
# its bytes (two publishes within one second can share it), and Range and If-Match follow nginx's rules.
`;

function settings(out: string, port: number, serverName: string): string {
  return [
    `listen ${port};`,
    `server_name ${serverName};`,
    `root ${quoted(out)};`,
    // A symbolic link anywhere in the path could lead out of the folder.
    "disable_symlinks on from=$document_root;",
    "server_tokens off;",
    "if_modified_since off;",
    // As in Node, so that a long token is refused as an invalid one (H3).
    "large_client_header_buffers 4 16k;",
  ].join("\n");
}

/** H1: the three endpoints; their patterns capture the ids in the paths of their files. */
function documents(preview: boolean): string {
  const id = ID.source.slice(1, -1);
  const patterns = { projectId: `(?<svc_project>${id})`, experienceId: `(?<svc_experience>${id})` };
  const captured = { projectId: "$svc_project", experienceId: "$svc_experience" };
  return (Object.keys(NOT_PUBLISHED) as Address["kind"][])
    .map((kind) =>
      block(
        `location ~ ${quoted(String.raw`^${urlPath({ kind, ...patterns })}\z`)}`,
        [
          `if ($svc_preview) { return ${preview ? 420 : 401}; }`,
          "types { }",
          `default_type ${quoted(JSON_TYPE)};`,
          addHeaders({ "Cache-Control": PUBLISHED_HEADERS["Cache-Control"], ...FILE_HEADERS }),
          `try_files /${filePath({ kind, ...captured })} @${NOT_PUBLISHED[kind]};`,
        ].join("\n"),
      ),
    )
    .join("\n\n");
}

/** For responses with a file. nginx's Last-Modified would be a second, coarser validator. */
const FILE_HEADERS = { ...COMMON_HEADERS, "Last-Modified": "" };

/** H3: the preview server answers every request with a token, and those for assets of a draft. */
function previewed(preview: string): string {
  return [
    "error_page 420 = @preview;",
    block(
      "location @preview",
      [
        "# Tokens must not be logged.",
        "access_log off;",
        `proxy_pass ${origin(preview)};`,
        "proxy_http_version 1.1;",
        'proxy_set_header Connection "";',
      ].join("\n"),
    ),
  ].join("\n");
}

function origin(preview: string): string {
  const url = URL.parse(preview);
  if (url !== null && /^https?:$/.test(url.protocol) && preview.replace(/\/$/, "") === url.origin) {
    return url.origin;
  }
  throw new UsageError(
    `${JSON.stringify(preview)} is not the address of a preview server`,
    "give its scheme, host and port only: --preview http://127.0.0.1:4400",
  );
}

function assets(preview: boolean): string {
  return block(
    `location ~ ${quoted(String.raw`^/assets/[0-9a-f]{16}/[^/\\]+\z`)}`,
    [
      `try_files $uri @${preview ? "preview" : "not-found"};`,
      addHeaders({ "Cache-Control": IMMUTABLE, ...FILE_HEADERS }),
      "add_header Content-Security-Policy $svc_sandbox always;",
      "default_type application/octet-stream;",
      "types_hash_max_size 8192;",
      "types_hash_bucket_size 128;",
      block("types", mediaTypes()),
    ].join("\n"),
  );
}
