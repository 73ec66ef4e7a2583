import { type FetchOptions, fetchWithTimeout } from "../../../http/fetch-with-timeout.ts";

/** An answer of a host, with its body as text. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A host that does not answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Milliseconds. */
const TIMEOUT = 15_000;

/**
 * Asks once, following no redirect, as a page of another origin would.
 *
 * @throws NoAnswer when none comes.
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
  if ("failure" in answer) throw new NoAnswer(`${url} does not answer: ${answer.failure}`);
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

/** Where to probe, and what is known of it. */
export interface UrlSource {
  readonly host: string;
  readonly plainHost: string | undefined;
  /** A published project, if one is known. */
  readonly projectId: string | undefined;
  /** The release it is served from, if it is. */
  readonly release: string | undefined;
}

/** The status and code of an answer, for details. */
export function told(answer: ProbeAnswer): string {
  const code = problemCode(answer);
  return `${answer.status} ${code ?? "without a problem document"}`;
}
