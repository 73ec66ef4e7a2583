import fc from "fast-check";
import { expect, it } from "vitest";
import { openKeyValueStore } from "../../src/deploy/aws/cloudfront-key-value-store.ts";
import { bucketPointers } from "../../src/deploy/releases/bucket-pointers.ts";
import { commands, MINUTE, run } from "../deploy/model/commands.ts";
import { InPlaceWorld } from "../deploy/model/in-place-world.ts";
import { ReleaseWorld } from "../deploy/model/release-world.ts";
import { Versions } from "../deploy/model/versions.ts";
import { useEnv } from "../support/deploy/aws-stand-in.ts";
import { startKvs } from "../support/deploy/kvs-stand-in.ts";
import "../support/random-runs.ts";
import { ObjectStoreBed } from "./object-store-bed.ts";

/** SVC_DEPLOY_ROUNDS limits them. */
const numRuns = Number(process.env.SVC_DEPLOY_ROUNDS ?? 12);

it.each([
  ["in place", InPlaceWorld, false],
  ["as releases", ReleaseWorld, false],
  ["as releases, with pointers in the bucket", ReleaseWorld, true],
] as const)(
  "L1, L2a, L5, L6, L10: %s, whatever commands run, are killed, or run at the same time",
  { timeout: 20 * MINUTE },
  async (_mode, Kind, isInBucket) => {
    const versions = await Versions.make();
    const world = async () => {
      const [bed, kvs] = [await ObjectStoreBed.make(), await startKvs()];
      useEnv(kvs.env);
      const { signal } = new AbortController();
      const objects = bed.open();
      const pointers = isInBucket
        ? bucketPointers(objects)
        : openKeyValueStore(kvs.arn, { signal });
      const stores = { objects, pointers };
      // Time that passes is for stores in memory: S3 has a clock of its own.
      return new Kind(stores, versions, () => {});
    };
    const steps = commands<never>((await world()).commands() as fc.Arbitrary<never>, [0]);
    const property = fc.asyncProperty(steps, async (all) => {
      await run(await world(), all, (one) => one.settle());
    });
    await fc.assert(property, { numRuns });
    expect.hasAssertions();
  },
);
