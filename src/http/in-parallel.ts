/** How many run at once. */
export const CONCURRENCY = 16;

/** Runs `act` for each item, several at once; the first failure ends all of them by the signal. */
export async function inParallel<T>(
  items: Iterable<T>,
  act: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const stop = new AbortController();
  const work = async () => {
    for (let next = queue.next(); !next.done && !stop.signal.aborted; next = queue.next()) {
      await act(next.value, stop.signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    stop.abort();
  }
}
