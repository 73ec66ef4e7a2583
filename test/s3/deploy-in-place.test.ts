import { beforeEach, describe, expect, it } from "vitest";
import { statusOf } from "../support/json-output.ts";
import { DeployBed } from "./deploy-bed.ts";
import type { Fault } from "./s3-faults.ts";
import { type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";

const CONTENT = "api/v1/projects/site/experiences/welcome/content";

let bucket: TestBucket;
let proxy: S3Proxy;
let bed: DeployBed;
beforeEach(async () => {
  bucket = await TestBucket.make();
  proxy = await startProxy(bucket.endpoint);
  bed = new DeployBed({ ...bucket.env, SVC_DEPLOY_ENDPOINT: proxy.endpoint });
});

/** Asynchronous, since this process serves the proxy. */
const run = (...args: readonly string[]) => bed.start("deploy", ...args).ended;

async function deployed(...args: readonly string[]) {
  const { status, stdout, stderr } = await run("--json", ...args);
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function refused(...args: readonly string[]) {
  const { status, stdout } = await run("--json", ...args);
  const { error } = JSON.parse(stdout);
  expect(status, stdout).toBe(statusOf(error));
  return error;
}

describe("L5: a deploy in place", () => {
  it("uploads every document with its headers, then only what changed, in order (F3)", async () => {
    const { objects, workspaces } = await deployed();
    expect(workspaces).toEqual({ starter: bed.versionId() });
    await bucket.expectInPlace(bed.expected());
    expect(objects.uploaded).toBe((await bucket.objects()).size);
    expect(await bucket.object(CONTENT)).toMatchObject({
      contentType: "application/json; charset=utf-8",
      cacheControl: "public, max-age=30, stale-while-revalidate=3600, stale-if-error=36000",
    });
    let before = proxy.writes().length;
    expect((await deployed()).objects).toMatchObject({ uploaded: 0, removed: 0 });
    expect(proxy.writes().slice(before)).toEqual([]);
    before = proxy.writes().length;
    bed.change("entries/home-page.json", "Welcome", "Hello");
    await deployed("--concurrency", "1");
    const keys = proxy
      .writes()
      .slice(before)
      .map((write) => write.replace(`PUT /${bucket.name}/`, ""));
    const project = "api/v1/projects/site";
    // Ceph rejects the first conditional write, whose If-Match has quotes, and gets it twice.
    expect([...new Set(keys)]).toEqual([
      ".svc-deploy.json",
      ...[CONTENT, `${project}/schema`, project],
    ]);
    expect(keys.at(-1)).toBe(".svc-deploy.json");
    await bucket.expectInPlace(bed.expected());
  });

  it.each<[string, readonly Fault[]]>([
    ["500, 503 SlowDown and 409", [500, undefined, 503, undefined, 409]],
    ["connections that are cut", ["cut", undefined, "cut-late", undefined]],
  ])("survives %s", async (_what, faults) => {
    let requests = 0;
    proxy.fault = ({ method }) => {
      const fault = faults[requests++ % faults.length];
      return fault === 409 && method !== "PUT" ? undefined : fault;
    };
    await deployed();
    proxy.fault = () => undefined;
    await bucket.expectInPlace(bed.expected());
    expect((await deployed()).objects.uploaded).toBe(0);
  });

  it("reports wrong credentials and a missing bucket without secrets", async () => {
    const secret = "very-secret-indeed";
    bed.env = { ...bed.env, AWS_SECRET_ACCESS_KEY: secret };
    const { status, stdout, stderr } = await run();
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toMatch(/^error: [^\n]*SignatureDoesNotMatch\nhint: [^\n]+\n$/);
    expect(stderr).not.toContain(secret);
    bed.env = { ...bucket.env };
    expect(await refused("s3://no-such-bucket-there")).toMatchObject({ code: "bucket-not-found" });
  });
});
