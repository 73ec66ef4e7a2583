import fc from "fast-check";

/** The share of a random test's runs: each `npm test` draws other values, and CI draws them all. */
const SHARE = Number(process.env.SVC_RANDOM_RUNS ?? 0.1);

// A mutant survives or not: the same values in every run.
if (process.env.SVC_RANDOM_SEED !== undefined) {
  fc.configureGlobal({ seed: Number(process.env.SVC_RANDOM_SEED) });
}

/** How often a random test is run that has this many runs at SVC_RANDOM_RUNS=1. */
export function randomRuns(all: number): number {
  return Math.ceil(all * SHARE);
}
