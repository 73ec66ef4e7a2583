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

/**
 * Some of many cases, such as the requests at which a process is killed: a quarter where random tests run a
 * tenth of their tries, and all from 0.4 on.
 */
export function drawnOf<T>(cases: readonly T[]): readonly T[] {
  const length = Math.min(cases.length, randomRuns(2.5 * cases.length));
  const some = fc.shuffledSubarray([...cases], { minLength: length, maxLength: length });
  return fc.sample(some, { numRuns: 1, seed: SEED })[0] ?? [];
}

/** The numbers from one to another. */
export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
