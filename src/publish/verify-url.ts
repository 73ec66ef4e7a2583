import { addressOfFilePath, urlPath } from "../documents/address.ts";
import { type Answer, ask, hostOf, unreachable } from "./ask-host.ts";
import { PublishedComparison } from "./compare-published.ts";
import { publishedManifest, type Verified } from "./verify.ts";
import type { OnProgress } from "./version-store.ts";

/** How many requests are under way at once. */
const CONCURRENCY = 16;

/**
 * Fetches every document that `out/` publishes from a running host, and compares: the proof that
 * what is served is what was published. Of `out/`, only the manifest is read.
 *
 * @param baseUrl where the API is served, ending in `/api/v1`.
 * @throws SvcError `manifest-missing`, `manifest-invalid`, `url-unreachable` when the host does not
 *   answer, or no more; UsageError for an address that can be no base url.
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
  const see = ({ path, url }: { path: string; url: string }, answer: Answer) => {
    done += 1;
    onProgress(done, documents.length, "documents compared");
    if ("failure" in answer) {
      unansweredInARow += 1;
      const isGone = answer.isUnreachable && (done === 1 || unansweredInARow > CONCURRENCY);
      if (isGone) throw unreachable(url, answer.failure);
      comparison.differ(path, "unreadable", `${url} did not answer: ${answer.failure}`);
      return;
    }
    unansweredInARow = 0;
    if ("body" in answer) comparison.see(path, answer.body);
    else {
      const reason = answer.status === 404 || answer.status === 410 ? "missing" : "unreadable";
      comparison.differ(path, reason, `${url} answered ${answer.status}`);
    }
  };
  const queue = documents.values();
  const stop = new AbortController();
  const work = async () => {
    for (const document of queue) {
      if (stop.signal.aborted) return;
      see(document, await ask(document.url, document.size, stop.signal));
    }
  };
  // The first alone: that a host does not answer at all is told once.
  const first = queue.next();
  if (!first.done) see(first.value, await ask(first.value.url, first.value.size, stop.signal));
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    stop.abort();
  }
  const differs = comparison.end();
  return { ok: differs.length === 0, files: documents.length, differs };
}
