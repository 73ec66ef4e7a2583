import { SvcError, UsageError } from "../workspace/errors.ts";

/** How long one request may take, in milliseconds. */
const TIMEOUT = 30_000;

const SILENCE = `no answer within ${TIMEOUT / 1000} seconds`;

/** A body; or as much of one as shows that it is longer than expected; or why there is none. */
export type Answer =
  | { readonly body: Uint8Array }
  | { readonly status: number }
  | { readonly failure: string; readonly isUnreachable: boolean };

/** Fetches a body, of which no more is held than twice what is expected, and a bit. */
export async function ask(url: string, expectedSize: number, stop: AbortSignal): Promise<Answer> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT)]);
    const response = await fetch(url, { signal });
    if (response.status === 200) return { body: await read(response, 2 * expectedSize + 65_536) };
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const failure = reasonOf(error as Error);
    return { failure, isUnreachable: NO_CONNECTION.has(failure) };
  }
}

async function read(response: Response, atMost: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > atMost) break;
  }
  return Buffer.concat(chunks);
}

/** Why a host cannot be reached at all: no address, no connection, no trust in it, no word. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  ...["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"],
  ...["UND_ERR_CONNECT_TIMEOUT", "ERR_TLS_CERT_ALTNAME_INVALID", "CERT_HAS_EXPIRED"],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
  ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_SSL_WRONG_VERSION_NUMBER", SILENCE],
]);

/** What fetch says is "fetch failed"; the reason stands behind it. */
function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return SILENCE;
  const { cause } = error;
  const reason = cause instanceof Error ? cause : error;
  return (reason as NodeJS.ErrnoException).code ?? reason.message;
}

export function unreachable(url: string, failure: string): SvcError {
  return new SvcError("url-unreachable", `${url} does not answer: ${failure}`, {
    hint: "check the address and that the host is running",
  });
}

/**
 * What stands before `/api/v1` in a base url.
 *
 * @throws UsageError for an address that can be no base url.
 */
export function hostOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const [, path] = /^(.*)\/api\/v1\/?$/.exec(url?.pathname ?? "") ?? [];
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain && /^https?:$/.test(url.protocol) && path !== undefined) return url.origin + path;
  throw new UsageError(
    `"${baseUrl}" is no base url of the API`,
    "it begins with http:// or https:// and ends in /api/v1, as http://127.0.0.1:4400/api/v1",
  );
}
