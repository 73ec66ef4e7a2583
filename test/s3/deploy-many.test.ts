import { expect, it } from "vitest";
import { startCloudFront } from "../support/deploy/cloudfront-stand-in.ts";
import { startKvs } from "../support/deploy/kvs-stand-in.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

const MANY = Number(process.env.SVC_DEPLOY_OBJECTS ?? 10_000);

it(`L1, L5: ${MANY} objects are uploaded once, in place with one wildcard invalidation, and as a release`, async () => {
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
  const [cdn, kvs] = [await startCloudFront(), await startKvs()];
  /** Deploys to a new bucket, then again, which writes nothing. */
  const twice = async (...args: readonly string[]) => {
    const bucket = await TestBucket.make();
    bed.env = { ...bucket.env, ...cdn.env, ...kvs.env };
    const value = await bed.deployed(...args);
    const proxy = await startProxy(bucket.endpoint);
    await bed.deployed(...args, "--endpoint", proxy.endpoint);
    expect(proxy.writes).toEqual([]);
    return { bucket, value };
  };

  const inPlace = await twice("--distribution", cdn.distribution);
  // With 503.json, which is not a file of out/.
  expect(inPlace.value.objects).toEqual({ uploaded: files + 1, unchanged: 0, removed: 0 });
  expect(await inPlace.bucket.keys()).toHaveLength(files + 2);
  expect(cdn.invalidations.map(({ paths }) => paths)).toEqual([["/*"]]);

  const { bucket, value } = await twice("--kvs", kvs.arn);
  const [{ objects, release }] = value.workspaces;
  expect(objects).toEqual({ uploaded: files - 1, present: 0 });
  expect(await bucket.keys(`r/${release}/`)).toHaveLength(files);
  expect(kvs.values.get("p:site")).toBe(release);
  expect(kvs.operations.filter((name) => name === "UpdateKeys")).toHaveLength(1);
});
