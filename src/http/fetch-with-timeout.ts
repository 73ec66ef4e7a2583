import { SvcError } from "../workspace/errors.ts";

export interface FetchOptions extends Pick<RequestInit, "method" | "headers" | "redirect"> {
  /** For the complete response, in milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Stop reading the body past this many bytes; default: 100 MB. */
  readonly maxBytes?: number;
  /** Read the body of every status, not only of 200 to 299. */
  readonly readsErrorBody?: boolean;
}

const MAX_BYTES = 100_000_000;

export interface FetchedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Empty when it was not read; may be cut off past `maxBytes`. */
  readonly body: Uint8Array;
}

export interface FetchFailure {
  /** A system error code where there is one, else a message. */
  readonly failure: string;
  /** No DNS entry, connection, trusted certificate or response: another URL of the host fails too. */
  readonly isUnreachable: boolean;
}

/**
 * Fetches a URL; network errors are returned, not thrown.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function fetchWithTimeout(
  url: string | URL,
  options: FetchOptions,
): Promise<FetchedResponse | FetchFailure> {
  const { timeout, signal: stop, maxBytes = MAX_BYTES, readsErrorBody, ...init } = options;
  const timeLimit = AbortSignal.timeout(timeout);
  const signal = stop === undefined ? timeLimit : AbortSignal.any([stop, timeLimit]);
  try {
    const response = await fetch(url, { ...init, signal });
    const { status, headers } = response;
    if (response.ok || readsErrorBody) {
      return { status, headers, body: await readBody(response, maxBytes) };
    }
    await response.body?.cancel();
    return { status, headers, body: new Uint8Array() };
  } catch (error) {
    stop?.throwIfAborted();
    if (timeLimit.aborted) {
      return { failure: `no answer within ${timeout / 1000} seconds`, isUnreachable: true };
    }
    const failure = reasonOf(error as Error);
    return { failure, isUnreachable: NO_CONNECTION.has(failure) };
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

const NO_CONNECTION: ReadonlySet<string> = new Set(
  `
  ENOTFOUND EAI_AGAIN ECONNREFUSED EHOSTUNREACH ENETUNREACH ETIMEDOUT
  UND_ERR_CONNECT_TIMEOUT ERR_TLS_CERT_ALTNAME_INVALID CERT_HAS_EXPIRED
  DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE
  ERR_SSL_WRONG_VERSION_NUMBER
  `.match(/\S+/g),
);

/** The message of fetch itself is only "fetch failed"; the reason is in `cause`. */
function reasonOf(error: Error): string {
  const { cause } = error;
  const reason = cause instanceof Error ? cause : error;
  return (reason as NodeJS.ErrnoException).code ?? reason.message;
}

/**
 * The error for a status that is no success: only a host that fails or is busy may be tried again.
 *
 * @param url without secrets: it is printed.
 */
export function urlAnswered(url: string, status: number, hint: string): SvcError {
  const mayPass = status >= 500 || status === 429;
  const code = mayPass ? "url-unreachable" : "url-refused";
  return new SvcError(code, `${url} answered ${status}`, { hint });
}

/** @param url without secrets: it is printed. */
export function urlUnreachable(url: string, failure: string): SvcError {
  return new SvcError("url-unreachable", `${url} does not answer: ${failure}`, {
    hint: "check the address and that the host is running",
  });
}
