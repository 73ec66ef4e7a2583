import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openKeyValueStore } from "../../src/deploy/aws/cloudfront-key-value-store.ts";
import { openObjectStore } from "../../src/deploy/aws/s3-object-store.ts";
import { planPrune, prune } from "../../src/deploy/releases/prune.ts";
import { useEnv } from "../support/deploy/aws-stand-in.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { ReleaseBed } from "./release-bed.ts";

const DAY = 24 * 3_600_000;

/** Publishes and deploys versions, each with a headline and an asset of its own. */
async function deployMany(bed: ReleaseBed, count: number) {
  const made: { release: string; asset: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const [before, after] = [n === 0 ? "Welcome" : `Version ${n - 1}`, `Version ${n}`];
    writeFileSync(bed.path("workspace", "files", "leaf.svg"), `<svg><!-- ${n} --></svg>`);
    bed.change("entries/home-page.json", before, after);
    const [asset = ""] = pathsBelow(bed.path("out")).filter((path) => path.endsWith("/leaf.svg"));
    made.push({ release: (await bed.deployed()).workspaces[0].release, asset });
  }
  return made;
}

it("L3, L4: releases are listed, pinned, rolled back to, and pruned with their assets", async () => {
  const bed = await ReleaseBed.make();
  const [first, second, ...others] = await deployMany(bed, 7);
  if (first === undefined || second === undefined) throw new Error();
  const latest = others.at(-1)?.release ?? "";
  await bed.deployed("pin", first.release);
  const { stdout } = await bed.deploy("list");
  expect(stdout).toContain(`${latest}  live for site\n`);
  expect(stdout).toContain(`${first.release}  pinned\n`);

  bed.clearWrites();
  const dry = await bed.deployed("rollback", "--dry-run");
  expect(dry.plan).toMatchObject([{ action: "point", what: "site" }]);
  expect(bed.writes()).toEqual([]);
  const { release: previous } = await bed.deployed("rollback");
  expect([previous, bed.live()]).toEqual([others.at(-2)?.release, previous]);
  expect(bed.writes()).toEqual(["UpdateKeys"]);
  const prefix = latest.slice("starter/".length, "starter/".length + 8);
  expect((await bed.deployed("rollback", prefix)).release).toBe(latest);

  const young = await bed.deployed("prune");
  expect([young.removed, young.releases.length]).toEqual([0, 7]);
  // As it would be done two days later.
  useEnv(bed.env);
  const { signal } = new AbortController();
  const { name, endpoint } = bed.bucket;
  const stores = {
    objects: openObjectStore({ bucket: name, prefix: "" }, { endpoint, concurrency: 8, signal }),
    pointers: openKeyValueStore(bed.kvs.arn, { signal }),
  };
  const work = { concurrency: 8, signal, onProgress: () => {} };
  const now = new Date(Date.now() + 2 * DAY);
  const before = await bed.bucket.keys();
  const plan = await planPrune(stores, work, { now });
  const { removed } = await prune(plan, stores, work, { now, maxDeletes: 1e6 });
  const { release, asset } = second;
  const gone = before.filter((key) => key === asset || key.startsWith(`r/${release}/`));
  expect(gone).toContain(asset);
  expect(removed).toBe(gone.length);
  expect(await bed.bucket.keys()).toEqual(before.filter((key) => !gone.includes(key)));

  await bed.bucket.remove(`r/${latest}/manifest.json`);
  expect((await bed.deploy("list")).stdout).toMatch(/^incomplete/m);
});
