import { beforeAll, onTestFinished, TestRunner } from "vitest";

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
    return async () => {
      // The last one first: a page is closed before its server.
      for (const work of ends.splice(0).reverse()) await work();
    };
  }, timeout);
  return () => made;
}
