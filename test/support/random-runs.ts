import fc from "fast-check";

/** The share of a random test's runs. */
const SHARE = Number(process.env.SVC_RANDOM_RUNS ?? 0.1);

/** What all that is random is drawn by: the same in each run, but for `npm run test:random` and CI. */
export const SEED = Number(process.env.SVC_RANDOM_SEED ?? 1);

fc.configureGlobal({ seed: SEED });

/** How often a random test is run that has this many runs at SVC_RANDOM_RUNS=1. */
export function randomRuns(all: number): number {
  return Math.ceil(all * SHARE);
}
