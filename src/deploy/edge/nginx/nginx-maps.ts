import { SANDBOXED } from "../../../http/published-headers.ts";
import { ASKS_FOR_PREVIEW, LEADS_NOWHERE, WELL_FORMED } from "../function/request-patterns.ts";
import { block, quoted } from "./nginx-blocks.ts";

/**
 * What the configuration knows of a request. All of it comes from the request line: nginx has no
 * path yet when it refuses one.
 */
export const MAPS = `${[
  "# What is asked for, as it was sent.",
  map("$request", "$svc_method", { "~^(?<svc_verb>[^ ]+) ": "$svc_verb" }),
  map("$request", "$svc_target", {
    "~^[^ ]+ (?:[A-Za-z][A-Za-z0-9+.-]*://[^/? ]*)?(?<svc_sent>[^ ]*)": "$svc_sent",
  }),
  "# Why it is refused, whatever is published; in the order of svc serve.",
  map(
    "$svc_target",
    "$svc_wayward",
    Object.fromEntries(LEADS_NOWHERE.map((pattern) => [`~${pattern}`, "nowhere"])),
  ),
  map("$svc_target", "$svc_path_verdict", {
    default: "malformed",
    [`~${WELL_FORMED}`]: "$svc_wayward",
  }),
  map("$svc_method", "$svc_verdict", {
    default: "method",
    OPTIONS: "preflight",
    "~^(?:GET|HEAD|)$": "$svc_path_verdict",
  }),
  map("$svc_target", "$svc_preview", { [`~${ASKS_FOR_PREVIEW}`]: "1" }),
  "# A path that nginx refuses by itself though it is well formed: it climbs above the root, or has a NUL.",
  map('"$request_uri $svc_target"', "$svc_unread", { "~^ .": "1" }),
  "# An uploaded page or picture must not run scripts in the origin of the API.",
  map("$sent_http_content_type", "$svc_sandbox", { [`~${SANDBOXED.source}`]: "sandbox" }),
].join("\n")}\n`;

function map(source: string, result: string, values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(
    ([key, value]) => `${key === "default" ? key : quoted(key)} ${value};`,
  );
  return block(`map ${source} ${result}`, lines.join("\n"));
}
