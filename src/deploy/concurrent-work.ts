import pMap from "p-map";

/** How long work is done: how much at once, until when, and who hears of it. */
export interface Work {
  /** Requests under way at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number, what: string) => void;
}

/**
 * Does something with every item, several at once. At the first failure no further item is begun;
 * what is under way ends first, so that nothing goes on behind the back of whoever hears of it.
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
