import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** The tests under which Stryker breaks the rooms: those that run the sources in their own process. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../.."),
    isolate: false,
    include: ["fields", "documents", "diff", "publish"].map((room) => `test/${room}/*.test.ts`),
    exclude: ["limited-files", "verify-url", "verify-url-requests", "patterns"].map(
      (n) => `test/*/${n}.test.ts`,
    ),
    testTimeout: 30_000,
    env: { SVC_RANDOM_RUNS: "0.1", SVC_RANDOM_SEED: "1" },
  },
});
