import { beforeEach, describe, expect, it, vi } from "vitest";
import { planPrune, prune } from "../../src/deploy/releases/prune.ts";
import { HOUR, MINUTE, stoppedClock } from "../deploy/model/commands.ts";
import { killed, race, type Slice } from "../deploy/model/processes.ts";
import { ReleaseWorld } from "../deploy/model/release-world.ts";
import { Versions } from "../deploy/model/versions.ts";
import type { MemoryReleaseBed } from "../deploy/releases/memory-release-bed.ts";

// Each request of a prune at which another command may run, where random commands try some of them.

let pass: (milliseconds: number) => void;
let versions: Versions;
let start: MemoryReleaseBed;
beforeEach(async () => {
  pass = stoppedClock();
  versions = await Versions.make();
  start = await ReleaseWorld.started(versions, pass);
});

const of = ["w"] as const;
const PRUNE = { act: "prune", of: [], version: undefined, hold: false } as const;
/** Of what the prune removes. */
const OTHERS = {
  "a rollback": { act: "rollback", of, version: 0, hold: false },
  "a deploy of the same version": { act: "deploy", of, version: 0, hold: false },
  "a deploy that shows its asset": { act: "deploy", of, version: 8, hold: false },
  "a pin": { act: "pin", of, version: 0, hold: false },
} as const;

describe.each(Object.entries(OTHERS))("L4a, L4b: %s and a prune", (_, other) => {
  /** Runs both in this order. How they end: the world says whether something is lost. */
  async function endsOf(pair: [object, object], slices: readonly Slice[]): Promise<string> {
    const world = new ReleaseWorld(start.copy().places, versions, pass);
    const [one, two] = pair.map((parts) => world.command(parts as typeof PRUNE));
    if (one === undefined || two === undefined) return "";
    let ends: readonly string[] = [];
    await world.disturbed([one, two], async () => {
      ends = await race([one.run, two.run], world.stores, slices, pass);
      return ends;
    });
    return ends.join();
  }

  /** One runs until each of its turns, then the other as a whole. */
  async function allEnds(pair: [object, object], pause: number): Promise<string[]> {
    const ends = new Set<string>();
    // A prune has some 160.
    for (let turns = 0; turns < 180; turns += 1) {
      ends.add(
        await endsOf(pair, [
          { turns, pause },
          { turns: 1_000, pause: 0 },
        ]),
      );
    }
    return [...ends];
  }

  it("lose nothing that is live or pinned, at whichever request the other runs", async () => {
    expect(await allEnds([PRUNE, other], 0)).toContain("done,done");
    expect(await allEnds([other, PRUNE], 0)).toContain("done,done");
  });

  it("lose nothing when the prune is suspended for an hour (SIGSTOP), and the other runs meanwhile", async () => {
    expect(await allEnds([PRUNE, other], HOUR)).toContain("release-being-removed,done");
  });
});

it.each(["lost", "late"] as const)(
  "L4a: a prune that was killed at any of its requests, which is %s, is completed when its marks mean nothing",
  async (fate) => {
    for (let at = 1; ; at += 1) {
      const world = new ReleaseWorld(start.copy().places, versions, pass);
      const command = world.command(PRUNE);
      const late = await killed(command.run, world.stores, at, fate);
      if (typeof late === "string") break;
      // Another one spares what is marked: the request may still be under way.
      await world.alone(command);
      await world.alone(world.command(OTHERS["a deploy of the same version"]));
      await late().catch(() => {});
      await world.settle();
    }
  },
);

it("L4a: a slow prune renews its marks, and ends", async () => {
  const bed = start.copy();
  bed.bucket.before = () => vi.advanceTimersByTimeAsync(3 * MINUTE);
  const [began, now] = [Date.now(), new Date()];
  const plan = await planPrune(bed.places, bed.work, { now });
  await prune(plan, bed.places, bed.work, { now, maxDeletes: 1e6 });
  expect(Date.now() - began).toBeGreaterThan(60 * MINUTE);
  expect(bed.folders()).toHaveLength(5);
  expect(vi.getTimerCount()).toBe(0);
});
