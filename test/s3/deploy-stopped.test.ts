import { expect, it } from "vitest";
import { type Fault, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

/** Held longer than any timeout. */
const HANGS: Fault = { hold: new Promise(() => {}) };

it("L6, L6a: a deploy that is stopped finishes pending requests, for 5 seconds, and removes its mark; a second signal ends it", async () => {
  const bucket = await TestBucket.make();
  const proxy = await startProxy(bucket.endpoint);
  const bed = new VersionsBed({ ...bucket.env, SVC_DEPLOY_ENDPOINT: proxy.endpoint });
  const writes = () => proxy.writes.filter((one) => !one.endsWith(".svc-deploy.json")).length;

  /** Signals a deploy at this upload, and again after some milliseconds. */
  async function stoppedAt(upload: number, signal: NodeJS.Signals, fault: Fault, again?: number) {
    const { process: child, ended } = bed.start("deploy", "--json", "--concurrency", "2");
    const before = writes();
    let uploads = 0;
    proxy.fault = ({ method, path }) => {
      if (method !== "PUT" || path.endsWith(".svc-deploy.json")) return undefined;
      uploads += 1;
      if (uploads === upload) {
        child.kill(signal);
        if (again !== undefined) setTimeout(() => child.kill(signal), again);
      }
      return uploads >= upload ? fault : undefined;
    };
    const ran = await ended;
    proxy.fault = () => undefined;
    return { ...ran, uploads, written: writes() - before, killedBy: child.signalCode };
  }

  const error = { code: "stopped", hint: "run the same command again: it continues from here" };
  for (const [upload, signal, fault] of [
    [6, "SIGINT", { hold: 300 }],
    [4, "SIGTERM", { hold: 300 }],
    [3, "SIGINT", HANGS],
  ] as const) {
    const { uploads, written, stdout, ...stopped } = await stoppedAt(upload, signal, fault);
    expect(stopped).toMatchObject({ status: 3, stderr: "" });
    expect(JSON.parse(stdout).error).toMatchObject(error);
    expect(uploads).toBeLessThanOrEqual(upload + 1);
    expect(written).toBe(fault === HANGS ? upload - 1 : uploads);
    expect((await bucket.manifest()).deploy).toBeUndefined();
  }

  const killed = await stoppedAt(2, "SIGINT", HANGS, 200);
  expect(killed).toMatchObject({ status: null, killedBy: "SIGINT", stdout: "", stderr: "" });
  expect(JSON.parse((await bed.runBeside("deploy", "--json")).stdout).error).toMatchObject({
    code: "deploy-running",
    message: expect.stringMatching(/\(process \d+ on .+, since 20.+Z\)$/),
  });
  await bed.deployed("--force");
  await bucket.expectInPlace(bed.expected());
});
