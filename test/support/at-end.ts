import { afterAll, beforeAll, onTestFinished, TestRunner } from "vitest";

const ends: (() => unknown)[] = [];

/** Runs work at the end of the test; of what the tests of a file share, at the end of the file. */
export function atEnd(work: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) ends.push(work);
  else onTestFinished(async () => void (await work()));
}

/** Makes what the tests of a file share before them, such as a preview or a page that is opened. */
export function shared<T>(make: () => T | Promise<T>, timeout = 120_000): () => T {
  let made: T;
  beforeAll(async () => {
    made = await make();
  }, timeout);
  // Also if making it fails.
  afterAll(endAll, timeout);
  return () => made;
}

/** The last one first: a page is closed before its server, which ends whatever the page has found. */
async function endAll(): Promise<void> {
  const failures: unknown[] = [];
  for (const work of ends.splice(0).reverse()) {
    try {
      await work();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw failures[0];
}
