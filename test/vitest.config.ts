import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { LONG_LIVED } from "./support/long-lived.ts";
import { BUILT, ROOT } from "./support/program.ts";
import { SlowFirst } from "./support/slow-first.ts";

const MINUTES = 60_000;

/** Temporary folders are in memory where there is a gigabyte of it: stores sync to the disk. */
const MEMORY = "/dev/shm";
const hasMemory =
  existsSync(MEMORY) && statfsSync(MEMORY).bavail * statfsSync(MEMORY).bsize > 2 ** 30;
const env = hasMemory ? { TMPDIR: MEMORY } : {};

/** Files share their modules: loading them takes as long as the tests. */
const SHARED = { isolate: false, execArgv: LONG_LIVED };

/** Threads of the sources run as built: loading the sources takes most of the time of a short one. */
const builtThreads: Plugin = {
  name: "built-threads",
  transform(code, id) {
    if (!/[/\\]src[/\\].*[/\\](?:draft-thread|publish-thread|followed-folder)\.ts$/.test(id))
      return;
    // Asked for when it runs: Vitest keeps transformed code for later runs, which have another build.
    const folder = `${JSON.stringify(pathToFileURL(join(ROOT, "/")).href)} + (process.env.${BUILT} ?? "dist")`;
    return code
      .replaceAll("import.meta.url", `(${folder} + "/bin/thread.js")`)
      .replaceAll("import.meta.filename", JSON.stringify("thread.js"));
  },
};

/** Suites without settings of their own. */
const others = ["attacks", "shell", "load"].map((name) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/*.test.ts`],
    testTimeout: 4 * MINUTES,
    hookTimeout: 4 * MINUTES,
  },
}));

/** The suites: `npm test` runs the specification, the others have scripts of their own. */
export default defineConfig({
  plugins: [builtThreads],
  test: {
    root: join(import.meta.dirname, ".."),
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    env,
    globalSetup: "test/support/build-program.ts",
    projects: [
      {
        extends: true,
        test: {
          name: "spec",
          ...SHARED,
          include: ["test/**/*.test.ts"],
          exclude: [
            "attacks",
            "fuzz",
            "crash",
            "browser",
            "edge",
            "s3",
            "exports",
            "package",
            "shell",
            "sites",
            "load",
            "types",
            "processes",
            "oracle",
          ].map((name) => `test/${name}/**`),
          // On a machine that others keep busy a test of a second takes several.
          testTimeout: 2 * MINUTES,
          hookTimeout: 2 * MINUTES,
        },
      },
      ...["processes", "oracle"].map((name) => ({
        extends: true as const,
        test: {
          ...SHARED,
          name,
          include: [`test/${name}/*.test.ts`],
          testTimeout: 4 * MINUTES,
          hookTimeout: 4 * MINUTES,
        },
      })),
      ...others,
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/*.test.ts"],
          testTimeout: 4 * MINUTES,
          expect: { poll: { timeout: MINUTES } },
        },
      },
      {
        extends: true,
        test: {
          name: "package",
          include: ["test/package/*.test.ts"],
          testTimeout: 4 * MINUTES,
          hookTimeout: 3 * MINUTES,
        },
      },
      {
        extends: true,
        test: {
          name: "types",
          // V8's optimizing compiler has not enough memory for the grammar of Swift.
          execArgv: ["--liftoff-only"],
          include: ["test/types/*.test.ts"],
          testTimeout: 6 * MINUTES,
          // The tools are installed.
          hookTimeout: 3 * MINUTES,
        },
      },
      {
        extends: true,
        test: {
          name: "sites",
          include: ["test/sites/*.test.ts"],
          testTimeout: 10 * MINUTES,
          hookTimeout: 3 * MINUTES,
          expect: { poll: { timeout: MINUTES } },
        },
      },
      {
        extends: true,
        test: { name: "exports", include: ["test/exports/*.test.ts"], testTimeout: 4 * MINUTES },
      },
      {
        extends: true,
        test: {
          name: "edge",
          include: [
            "test/edge/*.test.ts",
            "test/server/requests.test.ts",
            "test/deploy/edge/request-function.test.ts",
          ],
          env: { SVC_HOSTS: "programs" },
          testTimeout: 4 * MINUTES,
        },
      },
      {
        extends: true,
        test: {
          name: "s3",
          include: ["test/s3/*.test.ts"],
          globalSetup: ["test/support/build-program.ts", "test/s3/ceph.ts"],
          testTimeout: 10 * MINUTES,
          // Ten thousand folders are removed.
          hookTimeout: MINUTES,
        },
      },
      {
        extends: true,
        test: { name: "fuzz", include: ["test/fuzz/*.test.ts"], testTimeout: 10 * MINUTES },
      },
      {
        extends: true,
        test: { name: "crash", include: ["test/crash/*.test.ts"], testTimeout: 60 * MINUTES },
      },
    ],
  },
});
