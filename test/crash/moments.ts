import type { Random } from "../support/workspaces/random.ts";
import { type Moment, type ProcessExit, STAGES, type Stage } from "./killed-process.ts";

/** How often a kill comes after each stage. */
const IN_OUT: Record<Stage, number> = { started: 6, opened: 24, journalled: 50, written: 20 };
const IN_STORE: Record<Stage, number> = { started: 10, opened: 90, journalled: 0, written: 0 };

/**
 * A random moment between two stages, by the times of an earlier run that was not killed; undefined
 * before there is one.
 */
export function momentOf(
  random: Random,
  command: string,
  seen: ProcessExit["seen"] | undefined,
): Moment | undefined {
  if (seen === undefined) return undefined;
  const stage = random.weighted(command.includes("import") ? IN_STORE : IN_OUT);
  const at = seen[stage];
  if (at === undefined) return undefined;
  const later = STAGES.slice(STAGES.indexOf(stage) + 1).flatMap((one) => seen[one] ?? []);
  const until = Math.max(at, later[0] ?? seen.ended ?? at);
  return { stage, delay: (until - at) * random.next() };
}
