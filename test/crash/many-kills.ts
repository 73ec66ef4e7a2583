import { expect } from "vitest";
import { Random } from "../support/workspaces/random.ts";
import { References } from "./references.ts";
import { type Phase, Rounds } from "./rounds.ts";

/** Half of all: two test files run in parallel. */
export const KILLS = Math.ceil(Number(process.env.SVC_CRASH_KILLS ?? 1000) / 2);

const SEED = Number(process.env.SVC_CRASH_SEED ?? Date.now() % 1_000_000);

/**
 * Kills the program `KILLS` times.
 *
 * @param inARow probability that the next command starts without a repair after a kill.
 */
export async function killManyTimes(inARow: number): Promise<void> {
  const rounds = new Rounds(new References(), new Random(SEED), inARow);
  const counts: Record<Phase, number> = { before: 0, writing: 0, after: 0, ended: 0 };
  const kills = () => counts.before + counts.writing + counts.after;
  while (kills() < KILLS) {
    try {
      counts[await rounds.round()] += 1;
    } catch (error) {
      const where = `kill ${kills()} with SVC_CRASH_SEED=${SEED}; in this bed:\n${rounds.log}`;
      throw new Error(`${(error as Error).message}\n${where}`, { cause: error });
    }
  }
  console.log(`SVC_CRASH_SEED=${SEED}`, JSON.stringify(counts));
  if (KILLS < 50) return;
  expect(counts.before, "killed before the commit").toBeGreaterThan(2);
  expect(counts.writing, "killed while out/ was written").toBeGreaterThan(2);
  expect(counts.after, "killed when all was done").toBeGreaterThan(0);
}
