import { onTestFinished } from "vitest";
import { timeLimits } from "../../src/fields/pattern/pattern.ts";

/** Lets patterns take this long until the test ends, in milliseconds: the time is spent computing. */
export function allowPatterns(limits: typeof timeLimits): void {
  const before = { ...timeLimits };
  Object.assign(timeLimits, limits);
  onTestFinished(() => void Object.assign(timeLimits, before));
}
