import { SANDBOXED } from "../../../http/published-headers.ts";
import { block, quoted } from "./nginx-blocks.ts";
import { AMBIGUOUS_PATHS, HAS_PREVIEW_TOKEN, WELL_FORMED } from "./request-patterns.ts";

/**
 * The variables of a request, all derived from the request line: `$uri` is not set yet when nginx
 * refuses a request.
 */
export const MAPS = `${[
  "# The method and the target, as sent.",
  map("$request", "$svc_method", { "~^(?<svc_verb>[^ ]+) ": "$svc_verb" }),
  map("$request", "$svc_target", {
    "~^[^ ]+ (?:[A-Za-z][A-Za-z0-9+.-]*://[^/? ]*)?(?<svc_sent>[^ ]*)": "$svc_sent",
  }),
  "# Why the request is refused, in the order of svc serve.",
  map(
    "$svc_target",
    "$svc_ambiguous",
    Object.fromEntries(AMBIGUOUS_PATHS.map((pattern) => [`~${pattern}`, "ambiguous"])),
  ),
  map("$svc_target", "$svc_path_verdict", {
    default: "malformed",
    [`~${WELL_FORMED}`]: "$svc_ambiguous",
  }),
  map("$svc_method", "$svc_verdict", {
    default: "method",
    OPTIONS: "preflight",
    "~^(?:GET|HEAD|)$": "$svc_path_verdict",
  }),
  map("$svc_target", "$svc_preview", { [`~${HAS_PREVIEW_TOKEN}`]: "1" }),
  "# Well-formed paths that nginx refuses: above the root, or with a NUL.",
  map('"$request_uri $svc_target"', "$svc_no_uri", { "~^ .": "1" }),
  "# Uploaded pages and pictures must not run scripts in the origin of the API.",
  map("$sent_http_content_type", "$svc_sandbox", { [`~${SANDBOXED.source}`]: "sandbox" }),
].join("\n")}\n`;

function map(source: string, result: string, values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(
    ([key, value]) => `${key === "default" ? key : quoted(key)} ${value};`,
  );
  return block(`map ${source} ${result}`, lines.join("\n"));
}
