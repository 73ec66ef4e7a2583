import { addressOfFilePath, urlPath } from "../documents/address.ts";
import type { OnProgress } from "../documents/rendering.ts";
import { fetchWithTimeout, urlUnreachable } from "../http/fetch-with-timeout.ts";
import { CONCURRENCY, inParallel } from "../http/in-parallel.ts";
import { serverUrl } from "../http/server-url.ts";
import { UsageError } from "../workspace/errors.ts";
import { PublishedComparison, publishedManifest, type Verified } from "./verify.ts";

/** Of one request, in milliseconds. */
const TIMEOUT = 30_000;
/** The failure of `fetch` for the ports that its standard forbids. */
const BLOCKED_PORT = "bad port";

interface Published {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly url: string;
}

/**
 * F7: fetches every published document from a host and compares it with the manifest of `out/`.
 *
 * @param baseUrl where the API is served, ending in `/api/v1`.
 * @throws SvcError `manifest-missing`, `manifest-invalid`, `url-unreachable` when the host does not
 *   answer, or stops answering; UsageError for a URL that is not a base URL
 *   or has a port that is blocked.
 */
export async function verifyUrl(
  out: string,
  baseUrl: string,
  onProgress: OnProgress,
): Promise<Verified> {
  const host = serverUrl(baseUrl);
  const comparison = new PublishedComparison(publishedManifest(out));
  const documents = [...comparison.facts].flatMap(([path, { size }]) => {
    const address = addressOfFilePath(path);
    return address === undefined ? [] : { path, size, url: host + urlPath(address) };
  });
  let done = 0;
  let consecutiveFailures = 0;
  const compare = async ({ path, size, url }: Published, signal?: AbortSignal) => {
    // Enough to show that a body is longer than published.
    const maxBytes = 2 * size + 65_536;
    const answer = await fetchWithTimeout(url, { timeout: TIMEOUT, signal, maxBytes });
    done += 1;
    onProgress(done, documents.length, "documents compared");
    if ("failure" in answer) {
      consecutiveFailures += 1;
      const isDown = answer.isUnreachable && (done === 1 || consecutiveFailures > CONCURRENCY);
      if (answer.failure === BLOCKED_PORT) throw blockedPort(baseUrl);
      if (isDown) throw urlUnreachable(url, answer.failure);
      comparison.addDifference(path, "unreadable", `${url} did not answer: ${answer.failure}`);
      return;
    }
    consecutiveFailures = 0;
    if (answer.status === 200) comparison.compare(path, answer.body);
    else {
      const reason = answer.status === 404 || answer.status === 410 ? "missing" : "unreadable";
      comparison.addDifference(path, reason, `${url} answered ${answer.status}`);
    }
  };
  // The first alone, to fail fast on an unreachable host.
  const [first, ...others] = documents;
  if (first !== undefined) await compare(first);
  await inParallel(others, compare);
  const differs = comparison.finish();
  return { ok: differs.length === 0, files: documents.length, differs };
}

function blockedPort(baseUrl: string): UsageError {
  return new UsageError(
    `"${baseUrl}" has a port that HTTP clients block, so nothing was requested`,
    "serve the API on another port, such as 80, 443 or 4400",
  );
}
