import { beforeEach, describe, expect, it, vi } from "vitest";
import { planPrune, prune } from "../../src/deploy/releases/prune.ts";
import { HOUR, MINUTE } from "../deploy/model/commands.ts";
import { killed, race } from "../deploy/model/processes.ts";
import { releaseWorlds } from "../deploy/model/release-world.ts";

// Each request of a prune at which another command may run, where random commands try some of them.

let worlds: Awaited<ReturnType<typeof releaseWorlds>>;
beforeEach(async () => {
  worlds = await releaseWorlds();
});

const of = ["w"] as const;
const PRUNE = { act: "prune", of: [], version: undefined, hold: false } as const;
const PIN = { act: "pin", of, version: 0, hold: false } as const;
const AGAIN = { act: "deploy", of, version: 0, hold: false } as const;
/** Of what the prune removes. */
const OTHERS = {
  "a rollback": { act: "rollback", of, version: 0, hold: false },
  "a deploy of the same version": AGAIN,
  "a deploy that shows its asset": { act: "deploy", of, version: 8, hold: false },
  "a pin": PIN,
} as const;

describe.each(Object.values(OTHERS))("L4a, L4b: $act of $version and a prune", (other) => {
  /** One runs until each of its turns, then the other as a whole. The world says whether something is lost. */
  async function allEnds(pair: readonly (typeof PRUNE | typeof other)[], pause: number) {
    const ends = new Set<string>();
    // A prune has some 160.
    for (let turns = 0; turns < 180; turns += 1) {
      const world = worlds.worldOf();
      const [one, two] = pair.map((parts) => world.command(parts)) as [never, never];
      const slices = [turns, 1_000].map((count, at) => ({ turns: count, pause: at ? 0 : pause }));
      await world.disturbed([one, two], async () => {
        const acts = [one, two].map(({ run }) => run) as [never, never];
        const all = await race(acts, world.stores, slices, worlds.pass);
        ends.add(all.join());
        return all;
      });
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
      const world = worlds.worldOf();
      const command = world.command(PRUNE);
      const late = await killed(command.run, world.stores, at, fate);
      if (typeof late === "string") break;
      // Another one spares what is marked, which is not pinned either: the request may still be under way.
      for (const parts of [PRUNE, PIN]) await world.alone(world.command(parts));
      // A pin from before stays, such as that of a process that was killed when it had put it.
      await killed(world.command(PIN).run, world.stores, 3, "lost");
      for (const parts of [PIN, AGAIN]) await world.alone(world.command(parts));
      await late().catch(() => {});
      await world.settle();
    }
  },
);

it("L4a: a slow prune renews its claims, and ends", async () => {
  const bed = worlds.start.copy();
  bed.bucket.before = () => vi.advanceTimersByTimeAsync(3 * MINUTE);
  const [began, now] = [Date.now(), new Date()];
  const plan = await planPrune(bed.places, bed.work, { now });
  await prune(plan, bed.places, bed.work, { now, maxDeletes: 1e6 });
  expect(Date.now() - began).toBeGreaterThan(60 * MINUTE);
  expect(bed.folders()).toHaveLength(7);
  expect(vi.getTimerCount()).toBe(0);
});
