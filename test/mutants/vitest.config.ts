import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const { SVC_MUTANTS_TESTS = "" } = process.env;
const ROOT = join(import.meta.dirname, "../..");

/** Whether a test runs the built program, which is not there, and in which nothing would be broken. */
const runsProgram = (path: string) =>
  readFileSync(join(ROOT, path), "utf8").includes('/support/cli-bed.ts"');

/** The tests under which rules are broken: those that run the sources in their own process. */
export default defineConfig({
  test: {
    root: ROOT,
    isolate: false,
    include: SVC_MUTANTS_TESTS.split(" ").flatMap((folder) =>
      readdirSync(join(ROOT, "test", folder))
        .filter((name) => name.endsWith(".test.ts"))
        .map((name) => `test/${folder}/${name}`)
        .filter((path) => !runsProgram(path)),
    ),
    // Stryker itself gives up a mutant that does not end. The machine may be busy.
    testTimeout: 600_000,
  },
});
