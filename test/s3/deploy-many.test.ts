import { describe, expect, it } from "vitest";
import { type CloudFrontStandIn, startCloudFront } from "../support/deploy/cloudfront-stand-in.ts";
import { startKvs } from "../support/deploy/kvs-stand-in.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

const MANY = Number(process.env.SVC_DEPLOY_OBJECTS ?? 10_000);

describe(`a deploy of ${MANY.toLocaleString("en")} objects`, () => {
  it("L1, L5: is uploaded once, in place with one wildcard invalidation, and as a release", async () => {
    const bed = new VersionsBed({});
    const ids = Array.from({ length: MANY }, (_, at) => `page-${at}`);
    bed.nextOf({
      models: [PAGE_MODEL],
      projects: [projectOf("site", ...ids)],
      // About the size of a typical page.
      entries: ids.map((id) => page(id, `The page ${id}. `.repeat(300))),
    });
    const files = bed.expected().size;
    expect(files).toBeGreaterThan(MANY);
    await inPlace(bed, files);
    await asRelease(bed, files);
  });
});

async function inPlace(bed: VersionsBed, files: number): Promise<void> {
  const bucket = await TestBucket.make();
  const cloudfront: CloudFrontStandIn = await startCloudFront();
  bed.env = { ...bucket.env, ...cloudfront.env };
  const args = ["--distribution", cloudfront.distribution];
  const { value, seconds } = await deployed(bed, args);
  reportRate("in place", value.objects.uploaded, value.bytes, seconds);
  // With 503.json, which is not a file of out/.
  expect(value.objects).toEqual({ uploaded: files + 1, unchanged: 0, removed: 0 });
  expect(await bucket.keys()).toHaveLength(files + 2);
  expect(cloudfront.invalidations.map(({ paths }) => paths)).toEqual([["/*"]]);
  await expectNothingToDo(bed, args, await startProxy(bucket.endpoint), "in place");
  expect(cloudfront.invalidations).toHaveLength(1);
}

async function asRelease(bed: VersionsBed, files: number): Promise<void> {
  const bucket = await TestBucket.make();
  const kvs = await startKvs();
  bed.env = { ...bucket.env, ...kvs.env };
  const args = ["--kvs", kvs.arn];
  const { value, seconds } = await deployed(bed, args);
  const [{ objects, bytes, release }] = value.workspaces;
  reportRate("as a release", objects.uploaded, bytes, seconds);
  expect(objects).toEqual({ uploaded: files - 1, present: 0 });
  expect(await bucket.keys(`r/${release}/`)).toHaveLength(files);
  expect([...kvs.values.entries()]).toContainEqual(["p:site", release]);
  const before = kvs.operations.length;
  await expectNothingToDo(bed, args, await startProxy(bucket.endpoint), "as a release");
  expect(kvs.operations.slice(before)).not.toContain("UpdateKeys");
}

// biome-ignore lint/suspicious/noExplicitAny: tests access results without types
async function deployed(bed: VersionsBed, args: readonly string[]): Promise<any> {
  const start = performance.now();
  const { status, stdout, stderr } = await bed.start("deploy", "--json", ...args).ended;
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  return { value: JSON.parse(stdout), seconds: (performance.now() - start) / 1000 };
}

async function expectNothingToDo(
  bed: VersionsBed,
  args: readonly string[],
  proxy: S3Proxy,
  mode: string,
): Promise<void> {
  const { seconds } = await deployed(bed, [...args, "--endpoint", proxy.endpoint]);
  expect(proxy.writes()).toEqual([]);
  print(`${mode}, again: ${seconds.toFixed(1)} s, ${proxy.forwarded.length} requests`);
}

function reportRate(mode: string, objects: number, bytes: number, seconds: number): void {
  const [rate, throughput] = [objects / seconds, bytes / seconds / 1e6];
  print(
    `${mode}: ${objects} objects, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s: ` +
      `${rate.toFixed(0)} objects/s, ${throughput.toFixed(1)} MB/s`,
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
