import type { Random } from "../support/workspaces/random.ts";
import { type Ended, type Moment, SIGNS, type Sign } from "./killed-process.ts";

/** How often a kill comes after each sign. */
const IN_OUT: Record<Sign, number> = { started: 6, opened: 24, journalled: 50, written: 20 };
const IN_STORE: Record<Sign, number> = { started: 10, opened: 90, journalled: 0, written: 0 };

/**
 * A random moment between two signs, by the times of an earlier run that was not killed; undefined
 * before there is one.
 */
export function momentOf(
  random: Random,
  command: string,
  seen: Ended["seen"] | undefined,
): Moment | undefined {
  if (seen === undefined) return undefined;
  const sign = random.weighted(command.includes("import") ? IN_STORE : IN_OUT);
  const at = seen[sign];
  if (at === undefined) return undefined;
  const later = SIGNS.slice(SIGNS.indexOf(sign) + 1).flatMap((one) => seen[one] ?? []);
  const until = Math.max(at, later[0] ?? seen.ended ?? at);
  return { sign, delay: (until - at) * random.next() };
}
