import { beforeEach, describe, expect, it } from "vitest";
import { type Fault, type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

let bucket: TestBucket;
let proxy: S3Proxy;
let bed: VersionsBed;
beforeEach(async () => {
  bucket = await TestBucket.make();
  proxy = await startProxy(bucket.endpoint);
  bed = new VersionsBed({ ...bucket.env, SVC_DEPLOY_ENDPOINT: proxy.endpoint });
});

const run = (...args: readonly string[]) => bed.start("deploy", ...args).ended;

/** Signals a deploy at this upload, and again after some milliseconds. */
async function stopAt(
  upload: number,
  args: readonly string[] = [],
  options: { again?: number; fault?: Fault; signal?: NodeJS.Signals } = {},
) {
  const { again, fault, signal = "SIGINT" } = options;
  const { process: child, ended } = bed.start("deploy", "--json", ...args);
  let stoppedAt = 0;
  let uploads = 0;
  proxy.fault = ({ method, path }) => {
    if (method !== "PUT" || path.endsWith(".svc-deploy.json")) return undefined;
    uploads += 1;
    if (uploads === upload) {
      stoppedAt = performance.now();
      child.kill(signal);
      if (again !== undefined) setTimeout(() => child.kill(signal), again);
    }
    return uploads >= upload ? fault : undefined;
  };
  const ran = await ended;
  const seconds = (performance.now() - stoppedAt) / 1000;
  proxy.fault = () => undefined;
  return { ...ran, seconds, uploads, killedBy: child.signalCode };
}

/** Held longer than any timeout. */
const HANGS: Fault = { hold: new Promise(() => {}) };

describe("L6a: a deploy that is stopped with Ctrl-C", () => {
  it.each([
    ["SIGINT", 9],
    ["SIGTERM", 15],
  ] as const)(
    "%s at upload %i: finishes pending requests, reports it, and starts no others",
    async (signal, upload) => {
      const args = ["--concurrency", "2"];
      const stopped = await stopAt(upload, args, { signal, fault: { hold: 300 } });
      expect(stopped).toMatchObject({ status: 3, stderr: "" });
      expect(JSON.parse(stopped.stdout).error).toMatchObject({
        code: "stopped",
        hint: "run the same command again: it continues from here",
      });
      expect(stopped.seconds).toBeLessThan(4.5);
      expect(stopped.uploads).toBeLessThanOrEqual(upload + 1);
      expect((await bucket.manifest()).deploy).toBeUndefined();
      expect(await run()).toMatchObject({ status: 0, stderr: "" });
      await bucket.expectInPlace(bed.expected());
    },
  );

  it("waits at most 5 seconds for a response, and then removes its mark", async () => {
    const stopped = await stopAt(5, [], { fault: HANGS });
    expect(stopped).toMatchObject({ status: 3, stderr: "" });
    expect(JSON.parse(stopped.stdout).error).toMatchObject({ code: "stopped" });
    expect(stopped.seconds).toBeLessThan(10);
    expect((await bucket.manifest()).deploy).toBeUndefined();
    expect(await run()).toMatchObject({ status: 0, stderr: "" });
    await bucket.expectInPlace(bed.expected());
  });

  it("exits immediately at the second Ctrl-C", async () => {
    const stopped = await stopAt(5, [], { fault: HANGS, again: 200 });
    expect(stopped).toMatchObject({ status: null, killedBy: "SIGINT", stdout: "", stderr: "" });
    expect(stopped.seconds).toBeLessThan(4.5);
    expect(JSON.parse((await run("--json")).stdout).error).toMatchObject({
      code: "deploy-running",
      message: expect.stringMatching(/\(process \d+ on .+, since 20.+Z\)$/),
    });
    expect(await run("--force")).toMatchObject({ status: 0, stderr: "" });
    await bucket.expectInPlace(bed.expected());
  });
});
