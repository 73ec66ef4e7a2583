import { expect, it } from "vitest";
import { openKeyValueStore } from "../../src/deploy/aws/cloudfront-key-value-store.ts";
import { openObjectStore } from "../../src/deploy/aws/s3-object-store.ts";
import { planPrune, prune } from "../../src/deploy/releases/prune.ts";
import { useEnv } from "../support/deploy/aws-stand-in.ts";
import { startKvs } from "../support/deploy/kvs-stand-in.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { TestBucket } from "./s3-test-bucket.ts";
import { VersionsBed } from "./versions-bed.ts";

const DAY = 24 * 3_600_000;

it("L3, L3b, L4: releases are listed, pinned, rolled back to, and pruned with their assets", async () => {
  const [bucket, kvs] = [await TestBucket.make(), await startKvs()];
  const bed = new VersionsBed({ ...bucket.env, ...kvs.env, SVC_DEPLOY_KVS: kvs.arn });
  const deployed = (...args: readonly string[]) => bed.deployed(...args);
  const listed = async () => (await bed.runBeside("deploy", "list")).stdout;
  const live = () => kvs.values.get("p:site");

  const made: { release: string; asset: string }[] = [];
  for (let n = 0; n < 7; n += 1) {
    bed.next();
    const [asset = ""] = pathsBelow(bed.path("out")).filter((path) => path.endsWith("/photo.png"));
    made.push({ release: (await deployed()).workspaces[0].release, asset });
  }
  const [first, second, ...others] = made;
  if (first === undefined || second === undefined) throw new Error();
  const [previous, latest] = others.slice(-2).map(({ release }) => release);
  await deployed("pin", first.release);
  expect(await listed()).toContain(`${latest}  live for shop, site\n`);
  expect(await listed()).toContain(`${first.release}  pinned\n`);

  const dry = await deployed("rollback", "--dry-run");
  const point = { action: "point", what: "site", reason: `from ${latest} to ${previous}` };
  expect([live(), dry.plan]).toEqual([latest, expect.arrayContaining([point])]);
  expect(await deployed("rollback")).toMatchObject({
    release: previous,
    projects: ["shop", "site"],
  });
  expect(live()).toBe(previous);
  const { stdout, stderr } = await bed.runBeside("deploy", "rollback", latest?.slice(2, 10) ?? "");
  expect(stdout).toContain(`release ${latest} is live`);
  const { target, endpoint } = bucket;
  expect(stderr).toContain(`svc deploy resume ${target} --kvs ${kvs.arn} --endpoint ${endpoint}\n`);
  expect((await deployed("resume")).ended).toMatchObject([{ workspaceId: "w" }]);

  const young = await deployed("prune");
  expect([young.removed, young.releases.length]).toEqual([0, 7]);
  // As it would be done two days later.
  useEnv(bed.env);
  const { signal } = new AbortController();
  const { name } = bucket;
  const stores = {
    objects: openObjectStore({ bucket: name, prefix: "" }, { endpoint, concurrency: 8, signal }),
    pointers: openKeyValueStore(kvs.arn, { signal }),
  };
  const work = { concurrency: 8, signal, onProgress: () => {} };
  const now = new Date(Date.now() + 2 * DAY);
  const before = await bucket.keys();
  const plan = await planPrune(stores, work, { now });
  const { removed } = await prune(plan, stores, work, { now, maxDeletes: 1e6 });
  const gone = before.filter(
    (key) => key === second.asset || key.startsWith(`r/${second.release}/`),
  );
  expect(gone).toContain(second.asset);
  expect(removed).toBe(gone.length);
  expect(await bucket.keys()).toEqual(before.filter((key) => !gone.includes(key)));

  await bucket.remove(`r/${latest}/manifest.json`);
  await deployed("unpin", first.release);
  expect(await listed()).toMatch(/^incomplete/m);
  expect(await listed()).not.toContain("pinned");
});
