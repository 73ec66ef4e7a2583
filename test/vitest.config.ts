import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { LONG_LIVED } from "./support/long-lived.ts";
import { BUILT, ROOT } from "./support/program.ts";
import { SlowFirst } from "./support/slow-first.ts";

const MINUTES = 60_000;

/** Threads of the sources run as built: loading the sources takes most of the time of a short one. */
const builtThreads: Plugin = {
  name: "built-threads",
  transform(code, id) {
    if (!/[/\\]src[/\\].*[/\\](?:draft-thread|publish-thread)\.ts$/.test(id)) return;
    // Asked for when it runs: Vitest keeps transformed code for later runs, which have another build.
    const folder = `${JSON.stringify(pathToFileURL(join(ROOT, "/")).href)} + (process.env.${BUILT} ?? "dist")`;
    return code.replaceAll("import.meta.url", `(${folder} + "/bin/thread.js")`);
  },
};

/**
 * The suites beside the specification, each a folder of tests; what they set beyond the others. Those
 * that take longest are first: of several that run together, they begin.
 */
const SUITES: Readonly<Record<string, object>> = {
  sites: {},
  package: {},
  // V8's optimizing compiler has not enough memory for the grammar of Swift.
  types: {
    include: ["test/{types,codegen,client}/*.test.ts"],
    execArgv: ["--liftoff-only"],
  },
  s3: { globalSetup: ["test/support/build-program.ts", "test/s3/ceph.ts"] },
  browser: {},
  attacks: {},
  processes: {},
  server: { include: ["test/{server,page,follow}/*.test.ts"] },
  crash: { testTimeout: 60 * MINUTES },
  fuzz: {},
  oracle: {},
  shell: {},
  edge: {
    include: [
      "test/edge/*.test.ts",
      "test/server/requests.test.ts",
      "test/deploy/edge/request-function.test.ts",
    ],
    env: { SVC_HOSTS: "programs" },
  },
  load: {},
  exports: {},
};

/** `npm test` runs the specification, the others have scripts of their own. */
export default defineConfig({
  plugins: [builtThreads],
  // The example sites have React itself.
  resolve: { alias: { react: "preact/compat" } },
  test: {
    root: join(import.meta.dirname, ".."),
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    globalSetup: "test/support/build-program.ts",
    // Files share their modules: loading them takes as long as the tests.
    isolate: false,
    execArgv: LONG_LIVED,
    // They are for what hangs: on a machine that others keep busy a test of a second takes several.
    testTimeout: 10 * MINUTES,
    hookTimeout: 5 * MINUTES,
    expect: { poll: { timeout: 5 * MINUTES } },
    projects: [
      ...Object.entries(SUITES).map(([name, settings]) => ({
        extends: true as const,
        test: { name, include: [`test/${name}/*.test.ts`], ...settings },
      })),
      {
        extends: true,
        test: {
          name: "spec",
          include: ["test/**/*.test.ts"],
          exclude: [...Object.keys(SUITES), "codegen", "client", "follow", "page"].map(
            (name) => `test/${name}/**`,
          ),
        },
      },
    ],
  },
});
