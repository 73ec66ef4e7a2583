import { addressOfFilePath, urlPath } from "../documents/address.ts";
import { hostOf } from "../http/base-url.ts";
import {
  type FetchedResponse,
  type FetchFailure,
  fetchWithTimeout,
  urlUnreachable,
} from "../http/fetch-with-timeout.ts";
import { PublishedComparison } from "./compare-published.ts";
import { publishedManifest, type Verified } from "./verify.ts";
import type { OnProgress } from "./version-store.ts";

/** How many requests are under way at once. */
const CONCURRENCY = 16;
/** Of one request, in milliseconds. */
const TIMEOUT = 30_000;

/**
 * Fetches every document that `out/` publishes from a running host, and compares: the proof that
 * what is served is what was published. Of `out/`, only the manifest is read.
 *
 * @param baseUrl where the API is served, ending in `/api/v1`.
 * @throws SvcError `manifest-missing`, `manifest-invalid`, `url-unreachable` when the host does not
 *   answer, or no more; UsageError for an address that is not a base URL.
 */
export async function verifyUrl(
  out: string,
  baseUrl: string,
  onProgress: OnProgress,
): Promise<Verified> {
  const host = hostOf(baseUrl);
  const comparison = new PublishedComparison(publishedManifest(out));
  const documents = [...comparison.facts].flatMap(([path, { size }]) => {
    const address = addressOfFilePath(path);
    return address === undefined ? [] : { path, size, url: host + urlPath(address) };
  });
  let done = 0;
  let unansweredInARow = 0;
  const see = (
    { path, url }: { path: string; url: string },
    answer: FetchedResponse | FetchFailure,
  ) => {
    done += 1;
    onProgress(done, documents.length, "documents compared");
    if ("failure" in answer) {
      unansweredInARow += 1;
      const isGone = answer.isUnreachable && (done === 1 || unansweredInARow > CONCURRENCY);
      if (isGone) throw urlUnreachable(url, answer.failure);
      comparison.differ(path, "unreadable", `${url} did not answer: ${answer.failure}`);
      return;
    }
    unansweredInARow = 0;
    if (answer.status === 200) comparison.see(path, answer.body);
    else {
      const reason = answer.status === 404 || answer.status === 410 ? "missing" : "unreadable";
      comparison.differ(path, reason, `${url} answered ${answer.status}`);
    }
  };
  const queue = documents.values();
  const stop = new AbortController();
  const fetchDocument = ({ url, size }: { url: string; size: number }) =>
    fetchWithTimeout(url, {
      timeout: TIMEOUT,
      signal: stop.signal,
      // Enough to show that a body is longer than published.
      maxBytes: 2 * size + 65_536,
    });
  const work = async () => {
    for (const document of queue) {
      if (stop.signal.aborted) return;
      see(document, await fetchDocument(document));
    }
  };
  // The first alone, so that a host that is down is reported once.
  const first = queue.next();
  if (!first.done) see(first.value, await fetchDocument(first.value));
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    stop.abort();
  }
  const differs = comparison.end();
  return { ok: differs.length === 0, files: documents.length, differs };
}
