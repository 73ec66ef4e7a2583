import { describe, expect, it } from "vitest";
import { beatOn, manifestOf, OTHER_PROCESS, writeClaim } from "./claimed-manifest.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

/** A bucket that has a version, with the next one to deploy. */
async function claimedBucket() {
  const bucket = await TestBucket.make();
  const bed = new VersionsBed(bucket.env);
  const run = async (...args: readonly string[]) => {
    const begun = performance.now();
    const ran = await bed.start("deploy", ...args).ended;
    return { ...ran, seconds: (performance.now() - begun) / 1000 };
  };
  expect(await run()).toMatchObject({ status: 0 });
  bed.next();
  return { bucket, bed, run };
}

const NOTE =
  "a deploy has begun there (process 12 on ci-7): waiting up to 30 s to see whether it lives\n";

describe("a deploy that another machine has begun in the bucket", () => {
  // Both at once, since one of them lasts half a minute.
  it("is waited for: taken over after half a minute of silence, else told as running", async () => {
    await Promise.all([takesOver(), refuses()]);
  });
});

async function takesOver(): Promise<void> {
  const { bucket, bed, run } = await claimedBucket();
  const stray = "api/v1/projects/stray";
  await writeClaim(bucket, { touches: [stray, "api/v1/projects/site"] });
  const { status, stderr, seconds } = await run();
  expect({ status, stderr }).toEqual({ status: 0, stderr: NOTE });
  expect(seconds).toBeGreaterThan(30);
  for (const [key, text] of bed.expected()) expect((await bucket.object(key)).text).toBe(text);
  expect((await manifestOf(bucket)).claim).toBeUndefined();
}

async function refuses(): Promise<void> {
  const { bucket, run } = await claimedBucket();
  const before = await bucket.objects();
  await writeClaim(bucket, {});
  const end = new AbortController();
  const beating = beatOn(bucket, end.signal);
  const { status, stdout, seconds } = await run("--json");
  end.abort();
  await beating;
  expect({ status, ...JSON.parse(stdout) }).toMatchObject({
    status: 1,
    error: {
      code: "deploy-running",
      message: "another deploy is at work there (process 12 on ci-7)",
      hint: expect.stringMatching(/^let it end, then run this one again/),
    },
  });
  expect(seconds).toBeLessThan(15);
  expect(await bucket.objects()).toEqual(before);
  expect((await manifestOf(bucket)).claim.by).toEqual(OTHER_PROCESS);
}
