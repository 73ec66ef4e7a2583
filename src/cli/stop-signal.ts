const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** How often the parent process is compared, in milliseconds. */
const PARENT_POLL = 250;

const parent = process.ppid;

/** npm, npx, pnpm and yarn set it for what they run. */
const hasRunner = process.env.npm_lifecycle_event !== undefined;

/**
 * Resolves at the first SIGINT or SIGTERM; a second one kills the process. H18: below npm or npx it
 * resolves as well when the parent process is gone, since they pass signals to a shell that passes
 * none on.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearInterval(timer);
      for (const signal of SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    const timer = hasRunner
      ? setInterval(() => process.ppid !== parent && stop(), PARENT_POLL).unref()
      : undefined;
  });
}
