import { setTimeout as sleep } from "node:timers/promises";

/** Waits so many milliseconds; throws the signal's reason as soon as that is given. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
