import fc from "fast-check";
import { expect, it } from "vitest";
import { MemoryKeyValueStore } from "../../support/deploy/memory-key-value-store.ts";
import { MemoryBucket } from "../../support/deploy/memory-object-store.ts";
import { randomRuns } from "../../support/random-runs.ts";
import { commands, MINUTE, run, stoppedClock } from "../model/commands.ts";
import { InPlaceWorld } from "../model/in-place-world.ts";
import { Versions } from "../model/versions.ts";

it("L3a, L5, L6, L6a, L10, L10a: whatever deploys run, are killed, or run at the same time", {
  timeout: 20 * MINUTE,
}, async () => {
  const pass = stoppedClock();
  const versions = await Versions.make();
  const world = (checksDeletes: boolean) => {
    const bucket = new MemoryBucket();
    bucket.checksDeletes = checksDeletes;
    const stores = { objects: bucket.open(), pointers: new MemoryKeyValueStore() };
    return new InPlaceWorld(stores, versions, pass);
  };
  const steps = commands(world(true).commands(), [0, 0, MINUTE]);
  const property = fc.asyncProperty(steps, fc.boolean(), (all, checksDeletes) =>
    run(world(checksDeletes), all, (one) => one.settle()),
  );
  await fc.assert(property, { numRuns: randomRuns(600) });
  expect.hasAssertions();
});
