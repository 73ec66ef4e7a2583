import { describe, expect, it } from "vitest";
import { keepHeartbeat, manifestOf, OTHER_PROCESS, writeLease } from "./leased-manifest.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

/** A bucket with a deployed version, and the next version to deploy. */
async function deployedBucket() {
  const bucket = await TestBucket.make();
  const bed = new VersionsBed(bucket.env);
  const run = async (...args: readonly string[]) => {
    const start = performance.now();
    const ran = await bed.start("deploy", ...args).ended;
    return { ...ran, seconds: (performance.now() - start) / 1000 };
  };
  expect(await run()).toMatchObject({ status: 0 });
  bed.next();
  return { bucket, bed, run };
}

const NOTE =
  "an unfinished deploy holds the lease (process 12 on ci-7): waiting up to 30 s for a heartbeat\n";

describe("L6: a deploy from another machine", () => {
  // In parallel: one of them takes half a minute.
  it("its lease is taken over after 30 s without a heartbeat, else the deploy is reported as running", async () => {
    await Promise.all([takesOver(), refuses()]);
  });
});

async function takesOver(): Promise<void> {
  const { bucket, bed, run } = await deployedBucket();
  const stray = "api/v1/projects/stray";
  await writeLease(bucket, { touches: [stray, "api/v1/projects/site"] });
  const { status, stderr, seconds } = await run();
  expect({ status, stderr }).toEqual({ status: 0, stderr: NOTE });
  expect(seconds).toBeGreaterThan(30);
  for (const [key, text] of bed.expected()) expect((await bucket.object(key)).text).toBe(text);
  expect((await manifestOf(bucket)).claim).toBeUndefined();
}

async function refuses(): Promise<void> {
  const { bucket, run } = await deployedBucket();
  const before = await bucket.objects();
  await writeLease(bucket, {});
  const stop = new AbortController();
  const heartbeats = keepHeartbeat(bucket, stop.signal);
  const { status, stdout, seconds } = await run("--json");
  stop.abort();
  await heartbeats;
  expect({ status, ...JSON.parse(stdout) }).toMatchObject({
    status: 3,
    error: {
      code: "deploy-running",
      message: "another deploy to the target is running (process 12 on ci-7)",
      hint: expect.stringMatching(/^wait for it to finish, then run this one again/),
    },
  });
  expect(seconds).toBeLessThan(15);
  expect(await bucket.objects()).toEqual(before);
  expect((await manifestOf(bucket)).claim.by).toEqual(OTHER_PROCESS);
}
