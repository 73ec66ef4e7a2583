import pMap from "p-map";

/** Concurrency, cancellation and progress of a batch of requests. */
export interface Work {
  /** Maximum requests at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number, what: string) => void;
}

/**
 * Runs `act` for each item, several at once. After the first failure or an abort no further item
 * is started, and those under way are awaited: no request outlives the returned promise.
 */
export async function forEach<T>(
  items: readonly T[],
  { concurrency, signal, onProgress }: Work,
  what: string,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  let done = 0;
  await pMap(
    items,
    async (item) => {
      if (failures.length > 0 || signal.aborted) return;
      try {
        await act(item);
        done += 1;
        onProgress(done, items.length, what);
      } catch (error) {
        failures.push(error);
      }
    },
    { concurrency },
  );
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}
