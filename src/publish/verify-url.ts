import { addressOfFilePath, urlPath } from "../documents/address.ts";
import { SvcError, UsageError } from "../workspace/errors.ts";
import { PublishedComparison } from "./compare-published.ts";
import { publishedManifest, type Verified } from "./verify.ts";
import type { OnProgress } from "./version-store.ts";

/** How many requests are under way at once. */
const CONCURRENCY = 16;

/** How long one request may take, in milliseconds. */
const TIMEOUT = 30_000;

/**
 * Fetches every document that `out/` publishes from a running host, and compares: the proof that
 * what is served is what was published. Of `out/`, only the manifest is read.
 *
 * @param baseUrl where the API is served, ending in `/api/v1`.
 * @throws SvcError `manifest-missing`, `manifest-invalid`, `url-unreachable` when the host does not
 *   answer at all; UsageError for an address that can be no base url.
 */
export async function verifyUrl(
  out: string,
  baseUrl: string,
  onProgress: OnProgress,
): Promise<Verified> {
  const host = hostOf(baseUrl);
  const comparison = new PublishedComparison(publishedManifest(out));
  const documents = [...comparison.facts.keys()].flatMap((path) => {
    const address = addressOfFilePath(path);
    return address === undefined ? [] : { path, url: host + urlPath(address) };
  });
  let done = 0;
  const see = (path: string, url: string, answer: Answer) => {
    if (answer instanceof Uint8Array) comparison.see(path, answer);
    else if (typeof answer === "number") {
      const reason = answer === 404 || answer === 410 ? "missing" : "unreadable";
      comparison.differ(path, reason, `${url} answered ${answer}`);
    } else comparison.differ(path, "unreadable", `${url} did not answer: ${reasonOf(answer)}`);
    done += 1;
    onProgress(done, documents.length, "documents compared");
  };
  const queue = documents.values();
  const work = async () => {
    for (const { path, url } of queue) see(path, url, await ask(url));
  };
  // The first alone: that a host does not answer at all is told once.
  for (const { path, url } of documents.slice(0, 1)) {
    const answer = await ask(url);
    if (answer instanceof Error && NO_CONNECTION.has(reasonOf(answer))) {
      throw unreachable(url, answer);
    }
    see(path, url, answer);
    queue.next();
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const differs = comparison.end();
  return { ok: differs.length === 0, files: documents.length, differs };
}

/** Why a host cannot be reached at all: no address, no connection, no trust in it. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  ...["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"],
  ...["UND_ERR_CONNECT_TIMEOUT", "ERR_TLS_CERT_ALTNAME_INVALID", "CERT_HAS_EXPIRED"],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
  ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_SSL_WRONG_VERSION_NUMBER"],
]);

/** The body, or the status that is not 200, or why there was no answer. */
type Answer = Uint8Array | number | Error;

async function ask(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
    const body = new Uint8Array(await response.arrayBuffer());
    return response.status === 200 ? body : response.status;
  } catch (error) {
    return error as Error;
  }
}

function hostOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const [, path] = /^(.*)\/api\/v1\/?$/.exec(url?.pathname ?? "") ?? [];
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain && /^https?:$/.test(url.protocol) && path !== undefined) return url.origin + path;
  throw new UsageError(
    `"${baseUrl}" is no base url of the API`,
    "it begins with http:// or https:// and ends in /api/v1, as http://127.0.0.1:4400/api/v1",
  );
}

function unreachable(url: string, error: Error): SvcError {
  return new SvcError("url-unreachable", `${url} does not answer: ${reasonOf(error)}`, {
    hint: "check the address and that the host is running",
    cause: error,
  });
}

/** What fetch says is "fetch failed"; the reason stands behind it. */
function reasonOf(error: Error): string {
  const { cause } = error;
  const reason = cause instanceof Error ? cause : error;
  return (reason as NodeJS.ErrnoException).code ?? reason.message;
}
