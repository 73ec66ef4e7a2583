import { beforeEach, describe, expect, it } from "vitest";
import { pinRelease } from "../../../src/deploy/releases/list-releases.ts";
import { deletesOf, planPrune, prune } from "../../../src/deploy/releases/prune.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { projectTexts, siteTexts } from "../published-texts.ts";
import { ASSET, CONTENT, MemoryReleaseBed } from "./memory-release-bed.ts";

const DAY = 24 * 3_600_000;

let bed: MemoryReleaseBed;
beforeEach(() => {
  bed = new MemoryReleaseBed();
});

const planAfter = (days: number, workspaceId?: string) =>
  planPrune(bed.places, bed.work, { now: new Date(Date.now() + days * DAY), workspaceId });

/** Prunes as it would be done this number of days later. */
async function pruneAfter(
  days: number,
  options: { between?: () => unknown; maxDeletes?: number; workspaceId?: string } = {},
) {
  const { between = () => {}, maxDeletes = 1e6, workspaceId } = options;
  const plan = await planAfter(days, workspaceId);
  between();
  const now = new Date(Date.now() + days * DAY);
  return { plan, ...(await prune(plan, bed.places, bed.work, { now, maxDeletes })) };
}

/** Uploads an asset as svc does. */
async function putAsset(key: string): Promise<void> {
  await bed.places.objects.put(key, bodyOf("x"), {});
}

describe("L4: a prune keeps", () => {
  it("the last five, live and pinned releases, and removes all objects of the others", async () => {
    const releases = await bed.deployMany(8);
    const [first = ""] = releases;
    bed.bucket.put(`pins/${first}`, "{}");
    const { plan, removed } = await pruneAfter(2);
    expect([...plan.releases.keys()].sort()).toEqual(releases.slice(1, 3).sort());
    expect(plan.verdicts.map(({ reason }) => reason).toSorted()).toEqual([
      "live for site",
      ...Array(2).fill("older than the last 5"),
      ...Array(4).fill("one of the last 5"),
      "pinned",
    ]);
    expect(removed).toBe(8);
    expect(deletesOf(plan)).toBe(8);
    expect(bed.folders()).toEqual([first, ...releases.slice(3)].sort());
    bed.bucket.objects.delete(`pins/${first}`);
    await pruneAfter(2);
    expect(bed.folders()).toEqual(releases.slice(3).sort());
  });

  it("the releases of other workspaces, when one is given", async () => {
    await bed.deployMany(7);
    for (let n = 0; n < 7; n += 1) await bed.deploy({ v: projectTexts("shop", `version ${n}`) });
    const { plan } = await pruneAfter(2, { workspaceId: "v" });
    expect([...plan.releases.keys()].map((name) => name.slice(0, 2))).toEqual(["v/", "v/"]);
    expect(bed.folders().filter((name) => name.startsWith("w/"))).toHaveLength(7);
  });
});

describe("L4: an incomplete release", () => {
  it("has the age of its newest object", async () => {
    const [first = ""] = await bed.deployMany(2);
    bed.bucket.objects.delete(`r/${first}/manifest.json`);
    bed.bucket.now = () => new Date(Date.now() + 1.5 * DAY);
    bed.bucket.put(`r/${first}/${CONTENT}`, "again");
    expect((await pruneAfter(2)).removed).toBe(0);
    expect((await pruneAfter(3)).removed).toBe(3);
  });

  it("keeps every asset, since its references are unknown", async () => {
    const orphan = "assets/fedcba9876543210/orphan.png";
    await putAsset(orphan);
    const [first = ""] = await bed.deployMany(2);
    bed.bucket.objects.delete(`r/${first}/manifest.json`);
    bed.bucket.now = () => new Date(Date.now() + 1.5 * DAY);
    bed.bucket.put(`r/${first}/${CONTENT}`, "again");
    expect((await planAfter(2)).assets).toEqual([]);
    expect((await pruneAfter(3)).plan.assets).toEqual([orphan]);
    expect(bed.bucket.keys("assets/")).toEqual([ASSET]);
  });
});

describe("L4: assets", () => {
  const PHOTO = "assets/aaaaaaaaaaaaaaaa/photo.png";

  it("that only removed releases use are removed; others stay", async () => {
    await bed.deploy({ w: siteTexts({ [PHOTO]: "photo" }) });
    const first = bed.live("site") ?? "";
    await bed.deployMany(5);
    const { plan } = await pruneAfter(2);
    expect([...plan.releases.keys()]).toEqual([first]);
    expect(plan.assets).toEqual([PHOTO]);
    expect(bed.bucket.keys("assets/")).toEqual([ASSET]);
  });

  it("that a release of another workspace uses stay", async () => {
    await bed.deploy({ w: siteTexts({ [PHOTO]: "photo" }) });
    await bed.deploy({ v: { ...projectTexts("shop"), [PHOTO]: "photo" } });
    await bed.deployMany(5);
    const { plan } = await pruneAfter(2, { workspaceId: "w" });
    expect([plan.releases.size, plan.assets]).toEqual([1, []]);
  });

  it("that are younger than a day or of another program stay", async () => {
    await bed.deployMany(1);
    await putAsset(PHOTO);
    for (const key of ["assets/logo.svg", "assets/0123456789abcdef/theirs.png"]) {
      bed.bucket.put(key, "x");
    }
    await putAsset("assets/notes.txt");
    expect((await planAfter(0.9)).assets).toEqual([]);
    expect((await pruneAfter(2)).plan.assets).toEqual([PHOTO]);
  });
});

describe("L4: a prune", () => {
  it("is refused when no live release is in the bucket, whose KeyValueStore may be another", async () => {
    await bed.deployMany(2);
    bed.kvs.write("p:site", `w/${"e".repeat(32)}-0123456789ab`);
    await expect(planAfter(2)).rejects.toMatchObject({ code: "nothing-live" });
  });

  it("refuses more removals than --max-deletes before any of them", async () => {
    await bed.deployMany(7);
    const keys = bed.bucket.keys();
    await expect(pruneAfter(2, { maxDeletes: 7 })).rejects.toMatchObject({
      code: "too-many-deletes",
    });
    expect(bed.bucket.keys()).toEqual(keys);
    expect((await pruneAfter(2, { maxDeletes: 8 })).removed).toBe(8);
  });

  it("fails with the keys that the store did not remove; the next run continues", async () => {
    const [first = ""] = await bed.deployMany(6);
    const key = `r/${first}/${CONTENT}`;
    bed.bucket.undeletable.add(key);
    await expect(pruneAfter(2)).rejects.toMatchObject({
      code: "delete-failed",
      problems: {
        kind: "objects",
        list: [{ key, reason: expect.stringMatching(/^AccessDenied/) }],
      },
    });
    bed.bucket.undeletable.clear();
    await pruneAfter(2);
    expect(bed.folders()).not.toContain(first);
  });

  it("L4a: leaves no mark when it fails before it removes something", async () => {
    await bed.deployMany(7);
    await putAsset("assets/aaaaaaaaaaaaaaaa/orphan.png");
    for (const asked of ["pins/", "assets/"]) {
      const plan = await planAfter(2);
      bed.bucket.before = ({ name, keys }) => {
        if (name === "list" && keys[0] === asked) throw new Error("cut");
      };
      const how = { now: new Date(Date.now() + 2 * DAY), maxDeletes: 1e6 };
      await expect(prune(plan, bed.places, bed.work, how)).rejects.toThrow("cut");
      bed.bucket.before = () => {};
      const marks = [...bed.kvs.values.keys()].filter((key) => key.startsWith("d:"));
      expect(marks).toEqual(["d:last"]);
    }
  });

  it("L4a: refuses a pin of what it removes, and a pin from before stays", async () => {
    const [first = ""] = await bed.deployMany(2);
    bed.kvs.write(`d:${first}`, `${Date.now()} other`);
    for (const pinned of [[], [`pins/${first}`]]) {
      for (const key of pinned) bed.bucket.put(key, "{}");
      await expect(pinRelease(bed.places, first)).rejects.toMatchObject({
        code: "release-being-removed",
      });
      expect(bed.bucket.keys("pins/")).toEqual(pinned);
    }
  });

  it("removes the manifest of a release first; when interrupted, the next run continues", async () => {
    const [first = "", ...others] = await bed.deployMany(6);
    const plan = await planAfter(2);
    const how = { now: new Date(Date.now() + 2 * DAY), maxDeletes: 1e6 };
    const objects = {
      ...bed.places.objects,
      delete: async (keys: readonly string[]) => {
        await bed.places.objects.delete(keys.slice(0, 1));
        throw new Error("cut");
      },
    };
    const cut = prune(plan, { ...bed.places, objects }, bed.work, how);
    await expect(cut).rejects.toThrow("cut");
    expect(bed.bucket.changes.at(-1)).toBe(`delete r/${first}/manifest.json`);
    // L4a: the request that was cut may still be under way.
    expect((await pruneAfter(2)).spared).toEqual([first]);
    bed.kvs.write(`d:${first}`, `${Date.now() - 30 * 60_000} cut`);
    await pruneAfter(2);
    expect(bed.folders()).toEqual(others.sort());
  });

  it("stops at an aborted signal with its reason, and removes nothing more", async () => {
    await bed.deployMany(7);
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    bed.bucket.after = ({ name }) => name === "delete" && stop.abort(reason);
    const how = { now: new Date(Date.now() + 2 * DAY), maxDeletes: 1e6 };
    const work = { ...bed.work, signal: stop.signal };
    const stopped = prune(await planAfter(2), bed.places, work, how);
    await expect(stopped).rejects.toBe(reason);
    expect(bed.folders()).toHaveLength(6);
  });
});
