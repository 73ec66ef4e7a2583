import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openKeyValueStore } from "../../src/deploy/aws/cloudfront-key-value-store.ts";
import { openObjectStore } from "../../src/deploy/aws/s3-object-store.ts";
import { planPrune } from "../../src/deploy/releases/plan-prune.ts";
import { prune } from "../../src/deploy/releases/prune.ts";
import { ReleaseBed } from "./release-bed.ts";

const DAY = 24 * 3_600_000;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let bed: ReleaseBed;
beforeEach(async () => {
  bed = await ReleaseBed.make();
});

/** Publishes and deploys so many versions, each with another headline; their releases, in order. */
async function deployMany(count: number): Promise<string[]> {
  const releases: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const [before, after] = [n === 0 ? "Welcome" : `Version ${n - 1}`, `Version ${n}`];
    bed.change("entries/home-page.json", before, after);
    releases.push((await bed.deployed()).workspaces[0].release);
  }
  return releases;
}

describe("svc deploy list", () => {
  it("lists the releases, the newest first, and what is live or pinned", async () => {
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

  it("says of a release without manifest that it is not whole", async () => {
    const [first = ""] = await deployMany(1);
    await bed.bucket.remove(`r/${first}/manifest.json`);
    const { stdout } = await bed.deploy("list");
    expect(stdout).toMatch(/^not whole/);
  });

  it("needs the KeyValueStore", async () => {
    const { SVC_DEPLOY_KVS: _none, ...env } = bed.env;
    bed.env = env;
    const { status, stderr } = await bed.deploy("list");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: --kvs is missing\nhint: /);
  });
});

describe("L3: svc deploy rollback", () => {
  it("makes the release live that was live before, in one write; and again, returns", async () => {
    const [first, second] = await deployMany(2);
    bed.forget();
    expect(await bed.deployed("rollback")).toMatchObject({ release: first, projects: ["site"] });
    expect(bed.live()).toBe(first);
    expect(bed.writes()).toEqual(["UpdateKeys"]);
    expect((await bed.deployed("rollback")).release).toBe(second);
    expect(bed.live()).toBe(second);
  });

  it("goes to the release that is named, by a beginning of its version id", async () => {
    const [first = ""] = await deployMany(3);
    const beginning = first.slice("starter/".length, "starter/".length + 8);
    expect((await bed.deployed("rollback", beginning)).release).toBe(first);
    expect((await bed.deployed("rollback", bed.bucket.target, first)).projects).toEqual([]);
  });

  it("refuses a release that is not all there, and changes nothing", async () => {
    const [first = "", second] = await deployMany(2);
    await bed.bucket.remove(`r/${first}/api/v1/projects/site/schema.json`);
    expect((await bed.refused("rollback")).code).toBe("release-incomplete");
    expect(bed.live()).toBe(second);
  });

  it("refuses what is not there, an empty name, and when there is none before", async () => {
    await deployMany(1);
    expect((await bed.refused("rollback")).code).toBe("no-earlier-release");
    expect((await bed.refused("rollback", "xyz")).code).toBe("release-not-found");
    await bed.change("entries/home-page.json", "Version 0", "Version 1");
    await bed.deployed();
    const { status } = await bed.deploy("rollback", "");
    expect(status).toBe(2);
  });

  it("refuses what is meant by several: a beginning of two releases, or two workspaces", async () => {
    for (const start of ["aa", "ab"]) {
      const name = `starter/${start.padEnd(32, "0")}-0123456789ab`;
      await bed.bucket.put(`r/${name}/manifest.json`, "{}");
      bed.kvs.write(`p:${start}`, name);
    }
    expect((await bed.refused("rollback", "a")).code).toBe("release-ambiguous");
    const other = `other/${"c".repeat(32)}-0123456789ab`;
    await bed.bucket.put(`r/${other}/manifest.json`, "{}");
    bed.kvs.write("p:other", other);
    const error = await bed.refused("rollback");
    expect(error).toMatchObject({ code: "workspace-ambiguous" });
    expect(error.hint).toContain("--workspace");
  });

  it("tells with --dry-run, and does nothing", async () => {
    const [first, second] = await deployMany(2);
    bed.forget();
    const { plan } = await bed.deployed("rollback", "--dry-run");
    expect(plan).toEqual([{ action: "point", what: "site", reason: `from ${second} to ${first}` }]);
    expect(bed.writes()).toEqual([]);
  });
});

describe("L4: svc deploy prune", () => {
  /** The stores, as the program opens them. */
  function places() {
    for (const [name, value] of Object.entries(bed.env)) {
      if (name !== "NODE_OPTIONS") vi.stubEnv(name, value);
    }
    const { signal } = new AbortController();
    const target = { bucket: bed.bucket.name, prefix: "" };
    const { endpoint } = bed.bucket;
    return {
      objects: openObjectStore(target, { endpoint, concurrency: 8, signal }),
      pointers: openKeyValueStore(bed.kvs.arn, { signal }),
    };
  }
  const work = { concurrency: 8, signal: new AbortController().signal, onProgress: () => {} };

  /** Prunes as one would so many days later. */
  async function pruneAfter(days: number, between: () => unknown = () => {}, maxDeletes = 1e6) {
    const now = new Date(Date.now() + days * DAY);
    const there = places();
    const plan = await planPrune(there, work, { now });
    await between();
    return { plan, ...(await prune(plan, there, work, { now, maxDeletes })) };
  }

  const foldersLeft = async () =>
    new Set((await bed.bucket.keys("r/")).map((key) => key.split("/").slice(1, 3).join("/")));

  it("keeps everything younger than 24 hours", async () => {
    await deployMany(7);
    const { removed, releases } = await bed.deployed("prune");
    expect(removed).toBe(0);
    expect(releases.map(({ keep }: { keep: boolean }) => keep)).toEqual(Array(7).fill(true));
  });

  it("keeps the last five, the live and the pinned ones, and removes the others whole", async () => {
    const releases = await deployMany(8);
    await bed.deployed("pin", releases[0] ?? "");
    const { plan } = await pruneAfter(2);
    expect([...plan.releases.keys()].sort()).toEqual(releases.slice(1, 3).sort());
    expect(await foldersLeft()).toEqual(new Set([releases[0], ...releases.slice(3)]));
    await bed.deployed("unpin", releases[0] ?? "");
    await pruneAfter(2);
    expect(await foldersLeft()).toEqual(new Set(releases.slice(3)));
  });

  it("reads the pointers right before it removes: what has become live is spared", async () => {
    const releases = await deployMany(7);
    const [first = ""] = releases;
    const { spared } = await pruneAfter(2, () => bed.kvs.write("p:site", first));
    expect(spared).toEqual([first]);
    expect(await foldersLeft()).toContain(first);
    expect(await foldersLeft()).not.toContain(releases[1]);
  });

  it("removes an asset when no release shows it any more, and no other", async () => {
    const shown = await (async () => {
      await deployMany(1);
      return bed.bucket.keys("assets/");
    })();
    bed.change("assets.json", "leaf.svg", "renamed.svg");
    await bed.deployed();
    const all = await bed.bucket.keys("assets/");
    const { plan } = await pruneAfter(2);
    expect(plan.assets).toEqual([]);
    expect(await bed.bucket.keys("assets/")).toEqual(all);
    const orphan = "assets/0123456789abcdef/orphan.png";
    const body = { bytes: Buffer.from("x"), size: 1, sha256: sha256("x") };
    await places().objects.put(orphan, body, { "Content-Type": "image/png", "Cache-Control": "" });
    expect((await pruneAfter(0)).plan.assets).toEqual([]);
    expect((await pruneAfter(2)).plan.assets).toEqual([orphan]);
    expect(await bed.bucket.keys("assets/")).toEqual(all);
    expect(all).toEqual(expect.arrayContaining(shown));
  });

  it("removes what a deploy left behind half, after a day", async () => {
    const [first = "", second = ""] = await deployMany(2);
    await bed.bucket.remove(`r/${first}/manifest.json`);
    expect((await pruneAfter(0.5)).removed).toBe(0);
    expect((await pruneAfter(2)).plan.releases.has(first)).toBe(true);
    expect(await foldersLeft()).toEqual(new Set([second]));
  });

  it("spares what was pinned meanwhile", async () => {
    const [first = ""] = await deployMany(7);
    const { spared } = await pruneAfter(2, () => bed.bucket.put(`pins/${first}`, "{}"));
    expect(spared).toEqual([first]);
  });

  it("refuses a KeyValueStore by which nothing is live: it may be another bucket's", async () => {
    await deployMany(2);
    bed.kvs.write("p:site", `starter/${"e".repeat(32)}-0123456789ab`);
    expect((await bed.refused("prune")).code).toBe("nothing-live");
  });

  it("refuses to remove more than --max-deletes, before it removes anything", async () => {
    await deployMany(7);
    const before = await bed.bucket.keys();
    await expect(pruneAfter(2, undefined, 3)).rejects.toMatchObject({ code: "too-many-deletes" });
    expect(await bed.bucket.keys()).toEqual(before);
  });

  it("leaves what others put below assets/", async () => {
    await deployMany(1);
    for (const key of ["assets/logo.svg", "assets/0123456789abcdef/theirs.png"]) {
      await bed.bucket.put(key, "x");
    }
    expect((await pruneAfter(2)).removed).toBe(0);
  });

  it("goes on where it was stopped: a release without manifest is no release", async () => {
    const releases = await deployMany(6);
    const there = places();
    const how = { now: new Date(Date.now() + 2 * DAY), maxDeletes: 1e6 };
    const plan = await planPrune(there, work, how);
    const stop = new AbortController();
    const objects = {
      ...there.objects,
      delete: (keys: readonly string[]) => {
        stop.abort(new Error("stopped"));
        return there.objects.delete(keys.slice(0, 1));
      },
    };
    const stopped = prune(plan, { ...there, objects }, { ...work, signal: stop.signal }, how);
    await stopped.catch(() => {});
    expect(await bed.bucket.has(`r/${releases[0]}/manifest.json`)).toBe(false);
    await pruneAfter(2);
    expect(await foldersLeft()).toEqual(new Set(releases.slice(1)));
  });
});
