import { onTestFinished } from "vitest";
import { timedTests } from "../../src/fields/pattern/timed-tests.ts";

/** Lets patterns take this long until the test ends, in milliseconds: the time is spent computing. */
export function allowPatterns(limits: typeof timedTests.limits): void {
  const before = timedTests.limits;
  timedTests.limits = limits;
  onTestFinished(() => {
    timedTests.limits = before;
  });
}
