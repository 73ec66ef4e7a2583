import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { MemoryKeyValueStore } from "../../support/deploy/memory-key-value-store.ts";
import { MemoryBucket } from "../../support/deploy/memory-object-store.ts";
import { randomRuns } from "../../support/random-runs.ts";
import { alone, beside, commands, kill, MINUTE, run, stoppedClock } from "../model/commands.ts";
import { InPlaceWorld } from "../model/in-place-world.ts";
import { Versions } from "../model/versions.ts";

let pass: (milliseconds: number) => void;
let versions: Versions;
beforeEach(async () => {
  pass = stoppedClock();
  versions = await Versions.make();
});

function worldOf(checksDeletes: boolean): InPlaceWorld {
  const bucket = new MemoryBucket();
  bucket.checksDeletes = checksDeletes;
  const stores = { objects: bucket.open(), pointers: new MemoryKeyValueStore() };
  return new InPlaceWorld(stores, versions, pass);
}

it("L3a, L5, L6, L6a, L10, L10a: whatever deploys run, are killed, or run at the same time", {
  timeout: 20 * MINUTE,
}, async () => {
  const steps = commands(worldOf(true).commands(), [0, 0, MINUTE]);
  const property = fc.asyncProperty(steps, fc.boolean(), (all, checksDeletes) =>
    run(worldOf(checksDeletes), all, (one) => one.settle()),
  );
  await fc.assert(property, { numRuns: randomRuns(600) });
  expect.hasAssertions();
});

describe("at each of its requests", () => {
  const deploy = (version: number, force = false) =>
    worldOf(true).command({ of: ["w"], version, force, hold: false });

  it.each(["lost", "done", "late", "fails"] as const)(
    "L6, L6a: a deploy is killed (%s), and completed by the next",
    async (fate) => {
      const refused = [alone(deploy(2)), alone(deploy(2, true))];
      for (let at = 1; at <= 16; at += 1) {
        const next = at % 2 === 0 ? refused : [alone(deploy(3, true))];
        const steps = [alone(deploy(1)), kill(deploy(2), at, fate), ...next];
        await run(worldOf(true), steps, (one) => one.settle());
      }
      expect.hasAssertions();
    },
  );

  it.each([
    ["with another version", 3, 0, true],
    ["where removals compare no ETags", 3, 0, false],
    ["for more than a minute", 3, MINUTE, true],
    ["with the version before", 1, 0, true],
  ])(
    "L10a: a deploy is suspended while another takes over, %s",
    async (_what, version, pause, checksDeletes) => {
      for (let turns = 1; turns <= 32; turns += 1) {
        const slices = [
          { turns, pause },
          { turns: 1_000, pause: 0 },
        ];
        const steps = [alone(deploy(1)), beside(deploy(2), deploy(version, true), slices)];
        await run(worldOf(checksDeletes), steps, (one) => one.settle());
      }
      expect.hasAssertions();
    },
  );
});
