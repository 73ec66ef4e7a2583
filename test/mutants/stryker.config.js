// Stryker breaks the rooms that hold the rules, one change after the other, and runs the tests that
// reach it. `run-mutants.ts` says what is broken.
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  // Vitest would look for related tests by imports of the whole suite: coverage says it better.
  // A process has a larger stack than a thread, which a test of large patterns fills.
  vitest: { configFile: "test/mutants/vitest.config.ts", related: false, pool: "forks" },
  coverageAnalysis: "perTest",
  // What is only run when a module is loaded, such as a schema, would need all tests for each mutant.
  ignoreStatic: true,
  // Messages stand once, in their catalogue: no test repeats them.
  mutator: { excludedMutations: ["StringLiteral"] },
  concurrency: 2,
  dryRunTimeoutMinutes: 30,
  reporters: ["progress-append-only", "clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: ".test-build/mutants.json" },
  tempDirName: ".test-build/stryker",
  ignorePatterns: ["dist", ".test-build"],
  // TypeScript 7 has no API for Stryker to rewrite paths in tsconfig.json, which needs no other paths.
  tsconfigFile: "none",
  disableTypeChecks: false,
};
