const STOPPING = ["SIGINT", "SIGTERM"] as const;

/** Resolves at the first SIGINT or SIGTERM. A second one kills. */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of STOPPING) process.off(signal, stop);
      resolve();
    };
    for (const signal of STOPPING) process.on(signal, stop);
  });
}
