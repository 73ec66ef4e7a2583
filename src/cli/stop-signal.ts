const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Resolves at the first SIGINT or SIGTERM. A second one kills the process. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
}
