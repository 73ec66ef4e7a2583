import { syncBuiltinESMExports } from "node:module";
import type { TimerOptions } from "node:timers";
import timers from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** Stops the clock until the test ends: time passes only in `passing`. */
export function fakeClock(): void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
  });
  // Vitest does not fake this one.
  const sleep = vi.spyOn(timers, "setTimeout").mockImplementation(fakeSleep);
  syncBuiltinESMExports();
  onTestFinished(() => {
    sleep.mockRestore();
    syncBuiltinESMExports();
    vi.useRealTimers();
  });
}

/** As `setTimeout` of `node:timers/promises`. */
function fakeSleep(delay?: number, value?: unknown, { signal }: TimerOptions = {}) {
  return new Promise<unknown>((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    setTimeout(() => resolve(value), delay);
  });
}

/** Advances the clock, a second at a time, until the promise is settled, for up to an hour. */
export async function passing<T>(work: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  for (let second = 0; !isSettled; second += 1) {
    if (second > 3_600) throw new Error("this takes more than an hour");
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return work;
}
