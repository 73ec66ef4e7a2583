import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs `work` with a folder that only its user can read, and that is removed afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "svc-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // A signal that nothing else handles would end the process without its `exit` event.
  const exit = (signal: (typeof SIGNALS)[number]) => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  };
  process.once("exit", remove);
  for (const signal of SIGNALS) process.on(signal, exit);
  try {
    return await work(folder);
  } finally {
    for (const signal of SIGNALS) process.off(signal, exit);
    process.off("exit", remove);
    remove();
  }
}
