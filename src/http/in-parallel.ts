import pMap from "p-map";

export const CONCURRENCY = 16;

/** Runs `act` for each item, several at once; the first failure ends all of them by the signal. */
export async function inParallel<T>(
  items: Iterable<T>,
  act: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  try {
    await pMap(items, (item) => act(item, stop.signal), { concurrency: CONCURRENCY });
  } finally {
    stop.abort();
  }
}
