import { afterAll, beforeAll, onTestFinished, TestRunner } from "vitest";

const ends: (() => unknown)[] = [];
/** Whether `shared` has made something: a hook cannot add others. */
let isShared = false;

/** Runs work at the end of the test; of what the tests of a file share, at the end of the file. */
export function atEnd(work: () => unknown): void {
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(async () => void (await work()));
  else if (isShared) ends.push(work);
  // Of what a file, or a part of it, makes before any test.
  else afterAll(async () => void (await work()));
}

/** Makes what the tests of a file share before them, such as a preview or a page that is opened. */
export function shared<T>(make: () => T | Promise<T>): () => T {
  let made: T;
  beforeAll(async () => {
    isShared = true;
    made = await make();
  });
  // Also if making it fails.
  afterAll(endAll);
  return () => made;
}

/** The last one first: a page is closed before its server, which ends whatever the page has found. */
async function endAll(): Promise<void> {
  isShared = false;
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
