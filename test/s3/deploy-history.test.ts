import { writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { openKeyValueStore } from "../../src/deploy/aws/cloudfront-key-value-store.ts";
import { openObjectStore } from "../../src/deploy/aws/s3-object-store.ts";
import { planPrune } from "../../src/deploy/releases/plan-prune.ts";
import { prune } from "../../src/deploy/releases/prune.ts";
import { useEnv } from "../support/deploy/aws-stand-in.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { ReleaseBed } from "./release-bed.ts";

const DAY = 24 * 3_600_000;

let bed: ReleaseBed;
beforeEach(async () => {
  bed = await ReleaseBed.make();
});

/** The asset that only the version of this number shows. */
const assets: string[] = [];

const publishedAssets = () => pathsBelow(bed.path("out", "assets")).map((path) => `assets/${path}`);

/** Publishes and deploys this number of versions, each with a headline and an asset of its own; returns their releases, in order. */
async function deployMany(count: number): Promise<string[]> {
  const releases: string[] = [];
  assets.length = 0;
  for (let n = 0; n < count; n += 1) {
    const [before, after] = [n === 0 ? "Welcome" : `Version ${n - 1}`, `Version ${n}`];
    writeFileSync(bed.path("workspace", "files", "leaf.svg"), `<svg><!-- ${n} --></svg>`);
    bed.change("entries/home-page.json", before, after);
    assets.push(...publishedAssets().filter((path) => path.endsWith("/leaf.svg")));
    releases.push((await bed.deployed()).workspaces[0].release);
  }
  return releases;
}

describe("svc deploy list", () => {
  it("lists the releases, newest first, and which are live or pinned", async () => {
    const [first = "", second = ""] = await deployMany(2);
    await bed.deployed("pin", first);
    const { releases } = await bed.deployed("list");
    expect(releases.map(({ release }: { release: string }) => release)).toContain(second);
    expect(releases).toHaveLength(2);
    const of = (name: string) =>
      releases.find(({ release }: { release: string }) => release === name);
    expect(of(second)).toMatchObject({ live: ["site"], isPinned: false });
    expect(of(first)).toMatchObject({ live: [], isPinned: true, workspaceId: "starter" });
    const { stdout } = await bed.deploy("list");
    expect(stdout).toContain(`${second}  live for site\n`);
    expect(stdout).toContain(`${first}  pinned\n`);
  });

  it("lists a release without manifest as incomplete", async () => {
    const [first = ""] = await deployMany(1);
    await bed.bucket.remove(`r/${first}/manifest.json`);
    const { stdout } = await bed.deploy("list");
    expect(stdout).toMatch(/^incomplete/);
  });
});

describe("L3: svc deploy rollback", () => {
  it("makes the previous release live in one write; a second rollback undoes it", async () => {
    const [first, second] = await deployMany(2);
    bed.clearWrites();
    expect(await bed.deployed("rollback")).toMatchObject({ release: first, projects: ["site"] });
    expect(bed.live()).toBe(first);
    expect(bed.writes()).toEqual(["UpdateKeys"]);
    expect((await bed.deployed("rollback")).release).toBe(second);
    expect(bed.live()).toBe(second);
  });

  it("makes a release live by a prefix of its version id", async () => {
    const [first = ""] = await deployMany(3);
    const prefix = first.slice("starter/".length, "starter/".length + 8);
    expect((await bed.deployed("rollback", prefix)).release).toBe(first);
    expect((await bed.deployed("rollback", bed.bucket.target, first)).projects).toEqual([]);
  });

  it("--dry-run shows the plan and writes nothing", async () => {
    const [first, second] = await deployMany(2);
    bed.clearWrites();
    const { plan } = await bed.deployed("rollback", "--dry-run");
    expect(plan).toEqual([{ action: "point", what: "site", reason: `from ${second} to ${first}` }]);
    expect(bed.writes()).toEqual([]);
  });
});

describe("L4: svc deploy prune", () => {
  /** The stores, as the program opens them. */
  function openStores() {
    useEnv(bed.env);
    const { signal } = new AbortController();
    const target = { bucket: bed.bucket.name, prefix: "" };
    const { endpoint } = bed.bucket;
    return {
      objects: openObjectStore(target, { endpoint, concurrency: 8, signal }),
      pointers: openKeyValueStore(bed.kvs.arn, { signal }),
    };
  }
  const work = { concurrency: 8, signal: new AbortController().signal, onProgress: () => {} };

  /** Prunes as it would be done this number of days later. */
  async function pruneAfter(days: number) {
    const now = new Date(Date.now() + days * DAY);
    const stores = openStores();
    const plan = await planPrune(stores, work, { now });
    return { plan, ...(await prune(plan, stores, work, { now, maxDeletes: 1e6 })) };
  }

  it("keeps everything younger than 24 hours", async () => {
    await deployMany(7);
    const { removed, releases } = await bed.deployed("prune");
    expect(removed).toBe(0);
    expect(releases.map(({ keep }: { keep: boolean }) => keep)).toEqual(Array(7).fill(true));
  });

  it("keeps the last five, live and pinned releases, and removes all objects of the others with their assets", async () => {
    const releases = await deployMany(8);
    const [pinned = "", second = "", third = ""] = releases;
    await bed.deployed("pin", pinned);
    const before = await bed.bucket.keys();
    const [pinnedAsset = "", secondAsset = "", thirdAsset = ""] = assets;
    const isOf = (keys: readonly string[]) => (key: string) =>
      keys.some((one) => key === one || key.startsWith(`r/${one}/`));
    const { plan, removed } = await pruneAfter(2);
    expect([...plan.releases.keys()].sort()).toEqual([second, third].sort());
    const gone = before.filter(isOf([second, third, secondAsset, thirdAsset]));
    expect(gone).toEqual(expect.arrayContaining([secondAsset, thirdAsset]));
    expect(removed).toBe(gone.length);
    expect(await bed.bucket.keys()).toEqual(before.filter((key) => !gone.includes(key)));
    await bed.deployed("unpin", pinned);
    const rest = (await bed.bucket.keys()).filter((key) => !key.startsWith("pins/"));
    await pruneAfter(2);
    expect(await bed.bucket.keys()).toEqual(
      rest.filter((key) => !isOf([pinned, pinnedAsset])(key)),
    );
  });
});
