import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { MemoryBucket } from "../../support/deploy/memory-object-store.ts";
import { drawnOf, numbers, randomRuns } from "../../support/random-runs.ts";
import { alone, beside, commands, kill, MINUTE, resending, run, sleep } from "../model/commands.ts";
import { inPlaceWorlds } from "../model/in-place-world.ts";

let worlds: Awaited<ReturnType<typeof inPlaceWorlds>>;
let bucket: MemoryBucket;
beforeEach(async () => {
  worlds = await inPlaceWorlds();
  bucket = new MemoryBucket();
});

type Steps = Parameters<typeof run<ReturnType<typeof deploy>, never>>[1];

const settled = (all: Steps, prefix?: string) =>
  run(worlds.worldOf(bucket, prefix), all, (world) => world.settle());

it("L3a, L5, L6, L6a, L10, L10a: whatever deploys run, are killed, or run at the same time", {
  timeout: 20 * MINUTE,
}, async () => {
  const steps = commands(worlds.worldOf().commands(), [0, 0, MINUTE]);
  const property = fc.asyncProperty(steps, fc.boolean(), async (all, checksDeletes) => {
    bucket = new MemoryBucket();
    bucket.checksDeletes = checksDeletes;
    // Below a prefix, nothing else is written.
    bucket.put("api/v1/projects/site", "someone's");
    const prefix = "a/b/";
    await settled(all, prefix);
    expect(bucket.text("api/v1/projects/site")).toBe("someone's");
    expect(bucket.keys().filter((key) => !key.startsWith(prefix))).toHaveLength(1);
  });
  await fc.assert(property, { numRuns: randomRuns(600) });
});

const deploy = (version: number | undefined, force = false, hold = false, id = "w") =>
  worlds.worldOf().command({ of: [id], version, force, hold });

it("L6b: a deploy that takes long renews its mark, and is not taken over", async () => {
  bucket.before = () => {
    worlds.pass(MINUTE);
    const manifest = bucket.objects.get(".svc-deploy.json");
    if (!manifest?.bytes.includes('"pid"')) return;
    expect(Date.now() - Number(manifest.lastModified)).toBeLessThan(10 * MINUTE);
  };
  await settled([1, 2].map((version) => alone(deploy(version))));
  expect.hasAssertions();
});

it("L3a: what is held where a deploy was killed is deployed with --force --hold, then resumed", async () => {
  const held = [deploy(3), deploy(3, true), deploy(undefined)].map(alone);
  const steps = [alone(deploy(1, false, true)), kill(deploy(2, false, true), 8, "lost"), ...held];
  await settled([...steps, ...[deploy(3, true, true), deploy(undefined), deploy(1)].map(alone)]);
  expect.hasAssertions();
});

it.each([9, 10])("L6b: after %i minutes, where a deploy was killed", async (minutes) => {
  const next = [deploy(3), deploy(undefined), deploy(3, false, true)].map(alone);
  const steps = [alone(deploy(1, false, true)), kill(deploy(2, false, true), 8, "lost")];
  await settled([...steps, sleep(minutes), ...next, alone(deploy(2))]);
  expect.hasAssertions();
});

describe("at each of its requests", () => {
  it.each(["lost", "done", "late", "fails"] as const)(
    "L6, L6a: a deploy is killed (%s), and completed by the next",
    async (fate) => {
      const next = [
        [deploy(3, true)],
        [deploy(2), deploy(2, true)],
        // L5: the version is named, also where another workspace's was between.
        [deploy(1, true, false, "v"), deploy(2)],
      ];
      for (const at of drawnOf(numbers(1, 18))) {
        bucket = new MemoryBucket();
        const steps = [alone(deploy(1)), kill(deploy(2), at, fate)];
        await settled([...steps, ...(next[at % 3] ?? []).map(alone)]);
      }
      expect.hasAssertions();
    },
  );

  it("L6, L10: the response is lost, after which the request is sent again", async () => {
    for (const at of drawnOf(numbers(1, 18))) {
      bucket = new MemoryBucket();
      await run(worlds.worldOf(bucket), [alone(deploy(1)), resending(deploy(2), at)]);
    }
    expect.hasAssertions();
  });

  it.each([
    ["with another version", 3, 0, true],
    ["where removals compare no ETags", 3, 0, false],
    ["for more than a minute", 3, MINUTE, true],
    ["with the version before", 1, 0, true],
  ])(
    "L10a: a deploy is suspended while another takes over, %s",
    async (_what, version, pause, checksDeletes) => {
      for (const turns of drawnOf(numbers(1, 32))) {
        bucket = new MemoryBucket();
        bucket.checksDeletes = checksDeletes;
        const slices = [turns, 1_000].map((count, at) => ({
          turns: count,
          pause: at === 0 ? pause : 0,
        }));
        await settled([alone(deploy(1)), beside(deploy(2), deploy(version, true), slices)]);
      }
      expect.hasAssertions();
    },
  );

  it("L10a: it is woken while the other still writes", async () => {
    const all = numbers(0, 10).flatMap((third) =>
      numbers(0, 11).map((wake) => [1 + 3 * third, 6 + 2 * wake, 1_000]),
    );
    for (const counts of drawnOf(all)) {
      bucket = new MemoryBucket();
      bucket.checksDeletes = false;
      const slices = counts.map((turns) => ({ turns, pause: 0 }));
      await settled([alone(deploy(1)), beside(deploy(2), deploy(3, true), slices)]);
    }
    expect.hasAssertions();
  });
});
