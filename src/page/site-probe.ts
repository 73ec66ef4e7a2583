import { fetchWithTimeout } from "../http/fetch-with-timeout.ts";

/** `refuses`: it may not be shown in a frame. */
export type SiteState = "answers" | "silent" | "refuses";

/** In milliseconds. A development server may compile the page first. */
const TIMEOUT = 5000;

/** H46a: whether the site answers at an address of its own; a redirect is an answer, and not followed. */
export async function probedSite(address: string, signal: AbortSignal): Promise<SiteState> {
  const options = { method: "HEAD", redirect: "manual", timeout: TIMEOUT, signal } as const;
  const answer = await fetchWithTimeout(address, options);
  if ("failure" in answer) return "silent";
  const policies = answer.headers.get("content-security-policy") ?? "";
  const ancestors = /(?:^|[;,])\s*frame-ancestors\s([^;,]*)/i.exec(policies)?.[1]?.trim();
  // A browser that knows `frame-ancestors` does not look at the older header.
  if (ancestors !== undefined)
    return /^(?:'none'|'self'|)$/i.test(ancestors) ? "refuses" : "answers";
  const older = answer.headers.get("x-frame-options") ?? "";
  return /deny|sameorigin/i.test(older) ? "refuses" : "answers";
}
