import type { RequestListener } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { respondProblem } from "./respond.ts";

/**
 * H6: a preview is answered only where the request's `Host` is an IP address, `localhost` or a name
 * below it, or one of the names. A page of another site can have its own name lead to this machine
 * (DNS rebinding) and would then read what it is answered, but it cannot have another `Host`. The
 * port does not matter to that, and differs where one is forwarded.
 */
export function onlyAllowedHosts(
  handler: RequestListener,
  names: readonly string[],
): RequestListener {
  const allowed = new Set(names.map(hostName));
  return (request, response) => {
    const { host } = request.headers;
    // Browsers always send one; the handler knows what is wrong without.
    if (host === undefined || isAllowed(hostName(host), allowed)) handler(request, response);
    else respondProblem(response, "host-not-allowed");
  };
}

function isAllowed(name: string, allowed: ReadonlySet<string>): boolean {
  if (name === "localhost" || name.endsWith(".localhost") || isIPv4(name)) return true;
  return isIPv6(/^\[(.*)\]$/.exec(name)?.[1] ?? "") || allowed.has(name);
}

/** Of a `Host`, without its port, in the form in which names are compared. */
function hostName(host: string): string {
  return host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
}
