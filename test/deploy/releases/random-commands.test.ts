import fc from "fast-check";
import { expect, it } from "vitest";
import { randomRuns } from "../../support/random-runs.ts";
import { commands, HOUR, MINUTE, run, stoppedClock } from "../model/commands.ts";
import { ReleaseWorld } from "../model/release-world.ts";
import { Versions } from "../model/versions.ts";
import { MemoryReleaseBed } from "./memory-release-bed.ts";

const LIMIT = { timeout: 20 * MINUTE };

it(
  "L1, L2, L3, L3a, L4, L4a, L4b: whatever commands run, are killed, or run at the same time",
  LIMIT,
  async () => {
    const pass = stoppedClock();
    const versions = await Versions.make();
    const start = await ReleaseWorld.started(versions, pass);
    const beds = [() => new MemoryReleaseBed(), () => start.copy()];
    const of = (bed: MemoryReleaseBed) => new ReleaseWorld(bed.places, versions, pass);
    const property = fc.asyncProperty(
      commands(of(start).commands(), [0, 0, 6 * MINUTE, HOUR]),
      fc.constantFrom(...beds),
      (steps, bed) => run(of(bed()), steps, (world) => world.settle()),
    );
    await fc.assert(property, { numRuns: randomRuns(600) });
    expect.hasAssertions();
  },
);
