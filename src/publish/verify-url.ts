import { addressOfFilePath, urlPath } from "../documents/address.ts";
import { type Answer, ask, hostOf, unreachable } from "./ask-host.ts";
import { PublishedComparison } from "./published-comparison.ts";
import { publishedManifest, type Verified } from "./verify.ts";
import type { OnProgress } from "./version-store.ts";

/** Parallel requests. */
const CONCURRENCY = 16;

/**
 * Fetches every published document from a host and compares it with the manifest of `out/`.
 *
 * @param baseUrl where the API is served, ending in `/api/v1`.
 * @throws SvcError `manifest-missing`, `manifest-invalid`, `url-unreachable` when the host does not
 *   answer, or stops answering; UsageError for a URL that is not a base URL.
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
  let consecutiveFailures = 0;
  const add = ({ path, url }: { path: string; url: string }, answer: Answer) => {
    done += 1;
    onProgress(done, documents.length, "documents compared");
    if ("failure" in answer) {
      consecutiveFailures += 1;
      const isDown = answer.isUnreachable && (done === 1 || consecutiveFailures > CONCURRENCY);
      if (isDown) throw unreachable(url, answer.failure);
      comparison.addDifference(path, "unreadable", `${url} did not answer: ${answer.failure}`);
      return;
    }
    consecutiveFailures = 0;
    if ("body" in answer) comparison.compare(path, answer.body);
    else {
      const reason = answer.status === 404 || answer.status === 410 ? "missing" : "unreadable";
      comparison.addDifference(path, reason, `${url} answered ${answer.status}`);
    }
  };
  const queue = documents.values();
  const stop = new AbortController();
  const work = async () => {
    for (const document of queue) {
      if (stop.signal.aborted) return;
      add(document, await ask(document.url, document.size, stop.signal));
    }
  };
  // The first alone, to fail fast on an unreachable host.
  const first = queue.next();
  if (!first.done) add(first.value, await ask(first.value.url, first.value.size, stop.signal));
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    stop.abort();
  }
  const differs = comparison.finish();
  return { ok: differs.length === 0, files: documents.length, differs };
}
