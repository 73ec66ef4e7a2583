import type { RequestListener } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { respondProblem } from "./respond.ts";

/**
 * H6, against DNS rebinding: passes on only requests whose `Host` is an IP address, `localhost` or a
 * subdomain of it, or one of `names`. The port is ignored, as it differs behind a port forwarding.
 */
export function onlyAllowedHosts(
  handler: RequestListener,
  names: readonly string[],
): RequestListener {
  const allowed = new Set(names.map(hostName));
  return (request, response) => {
    const { host } = request.headers;
    // Browsers always send Host; without it the handler answers 400 or serves HTTP/1.0.
    if (host === undefined || isAllowed(hostName(host), allowed)) handler(request, response);
    else respondProblem(response, "host-not-allowed");
  };
}

function isAllowed(name: string, allowed: ReadonlySet<string>): boolean {
  if (name === "localhost" || name.endsWith(".localhost") || isIPv4(name)) return true;
  return isIPv6(/^\[(.*)\]$/.exec(name)?.[1] ?? "") || allowed.has(name);
}

function hostName(host: string): string {
  return host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
}
