import { join } from "node:path";
import { defineConfig } from "vitest/config";

const { SVC_MUTANTS_TESTS = "" } = process.env;

/** The tests under which rules are broken: those that run the sources in their own process. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../.."),
    isolate: false,
    include: SVC_MUTANTS_TESTS.split(" ").map((folder) => `test/${folder}/*.test.ts`),
    // Stryker itself gives up a mutant that does not end. The machine may be busy.
    testTimeout: 600_000,
  },
});
