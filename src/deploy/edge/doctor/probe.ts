import { type FetchOptions, fetchWithTimeout } from "../../../http/fetch-with-timeout.ts";

/** A response, with its body as text. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The host does not respond. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Milliseconds. */
const TIMEOUT = 15_000;

/**
 * Sends a request from another origin, and follows no redirect.
 *
 * @throws NoAnswer when the host does not respond.
 */
export async function probe(
  url: string,
  init: Pick<FetchOptions, "method" | "headers"> = {},
): Promise<ProbeAnswer> {
  const answer = await fetchWithTimeout(url, {
    ...init,
    redirect: "manual",
    headers: { Origin: "https://svc.example", ...init.headers },
    timeout: TIMEOUT,
    readsErrorBody: true,
  });
  if ("failure" in answer) throw new NoAnswer(`${url} does not respond: ${answer.failure}`);
  const { status, headers, body } = answer;
  return { status, headers, text: new TextDecoder().decode(body) };
}

/** The `code` of a problem document (H4); undefined for any other body. */
export function problemCode({ headers, text }: ProbeAnswer): string | undefined {
  if (headers.get("content-type") !== "application/problem+json") return undefined;
  try {
    return (JSON.parse(text) as { code?: string }).code;
  } catch {
    return undefined;
  }
}

/** The host to probe, and what it should serve. */
export interface UrlSource {
  readonly host: string;
  readonly plainHost: string | undefined;
  /** A published project. */
  readonly projectId: string | undefined;
  /** The release that it is served from. */
  readonly release: string | undefined;
}

/** The status and problem code of a response, for `detail`. */
export function probeSummary(answer: ProbeAnswer): string {
  const code = problemCode(answer);
  return `${answer.status} ${code ?? "without a problem document"}`;
}
