import { beforeEach, describe, expect, it } from "vitest";
import { planPrune } from "../../../src/deploy/releases/plan-prune.ts";
import { deletesOf, prune } from "../../../src/deploy/releases/prune.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { projectTexts, siteTexts } from "../published-texts.ts";
import { ASSET, CONTENT, ReleaseWorld } from "./release-world.ts";

const DAY = 24 * 3_600_000;

let world: ReleaseWorld;
beforeEach(() => {
  world = new ReleaseWorld();
});

const planAfter = (days: number, workspaceId?: string) =>
  planPrune(world.places, world.work, { now: new Date(Date.now() + days * DAY), workspaceId });

/** Prunes as one would so many days later. */
async function pruneAfter(
  days: number,
  options: { between?: () => unknown; maxDeletes?: number; workspaceId?: string } = {},
) {
  const { between = () => {}, maxDeletes = 1e6, workspaceId } = options;
  const plan = await planAfter(days, workspaceId);
  between();
  const now = new Date(Date.now() + days * DAY);
  return { plan, ...(await prune(plan, world.places, world.work, { now, maxDeletes })) };
}

/** An asset that svc has put there. */
async function putAsset(key: string): Promise<void> {
  await world.places.objects.put(key, bodyOf("x"), {});
}

describe("a prune keeps", () => {
  it("everything younger than 24 hours", async () => {
    await world.deployMany(7);
    expect((await planAfter(0)).verdicts.map(({ keep }) => keep)).toEqual(Array(7).fill(true));
    expect((await pruneAfter(0)).removed).toBe(0);
  });

  it("the last five, the live and the pinned ones, and removes the others whole", async () => {
    const releases = await world.deployMany(8);
    const [first = ""] = releases;
    world.bucket.put(`pins/${first}`, "{}");
    const { plan, removed } = await pruneAfter(2);
    expect([...plan.releases.keys()].sort()).toEqual(releases.slice(1, 3).sort());
    expect(removed).toBe(8);
    expect(deletesOf(plan)).toBe(8);
    expect(world.folders()).toEqual([first, ...releases.slice(3)].sort());
    world.bucket.objects.delete(`pins/${first}`);
    await pruneAfter(2);
    expect(world.folders()).toEqual(releases.slice(3).sort());
  });

  it("what was live last, so that the way back is there", async () => {
    const [first = "", second = "", ...others] = await world.deployMany(8);
    await world.deploy({ w: siteTexts({ [CONTENT]: "content 0" }) });
    await pruneAfter(2);
    expect(world.live("site")).toBe(first);
    expect(world.folders()).toContain(others.at(-1));
    expect(world.folders()).not.toContain(second);
  });

  it("the releases of other workspaces, when one is meant", async () => {
    await world.deployMany(7);
    for (let n = 0; n < 7; n += 1) await world.deploy({ v: projectTexts("shop", `version ${n}`) });
    const { plan } = await pruneAfter(2, { workspaceId: "v" });
    expect([...plan.releases.keys()].map((name) => name.slice(0, 2))).toEqual(["v/", "v/"]);
    expect(world.folders().filter((name) => name.startsWith("w/"))).toHaveLength(7);
  });

  it("what has become live or was pinned since it was planned", async () => {
    const [first = "", second = "", third] = await world.deployMany(8);
    const { spared } = await pruneAfter(2, {
      between: () => {
        world.kvs.write("p:site", first);
        world.bucket.put(`pins/${second}`, "{}");
      },
    });
    expect(spared.sort()).toEqual([first, second].sort());
    expect(world.folders()).toEqual(expect.arrayContaining([first, second]));
    expect(world.folders()).not.toContain(third);
  });
});

describe("a release that is not whole", () => {
  it("is removed after a day, for a deploy may be under way", async () => {
    const [first = "", second = ""] = await world.deployMany(2);
    world.bucket.objects.delete(`r/${first}/manifest.json`);
    const { plan, removed } = await pruneAfter(0.5);
    expect(plan.verdicts).toContainEqual(expect.objectContaining({ release: first, keep: true }));
    expect(removed).toBe(0);
    await pruneAfter(2);
    expect(world.folders()).toEqual([second]);
  });

  it("is young by its newest object", async () => {
    const [first = ""] = await world.deployMany(2);
    world.bucket.objects.delete(`r/${first}/manifest.json`);
    world.bucket.now = () => new Date(Date.now() + 1.5 * DAY);
    world.bucket.put(`r/${first}/${CONTENT}`, "again");
    expect((await pruneAfter(2)).removed).toBe(0);
    expect((await pruneAfter(3)).removed).toBe(3);
  });

  it("keeps every asset, since it cannot say what it shows", async () => {
    const orphan = "assets/fedcba9876543210/orphan.png";
    await putAsset(orphan);
    const [first = ""] = await world.deployMany(2);
    world.bucket.objects.delete(`r/${first}/manifest.json`);
    world.bucket.now = () => new Date(Date.now() + 1.5 * DAY);
    world.bucket.put(`r/${first}/${CONTENT}`, "again");
    expect((await planAfter(2)).assets).toEqual([]);
    expect((await pruneAfter(3)).plan.assets).toEqual([orphan]);
    expect(world.bucket.keys("assets/")).toEqual([ASSET]);
  });
});

describe("assets", () => {
  const PHOTO = "assets/aaaaaaaaaaaaaaaa/photo.png";

  it("that only removed releases show go with them; others stay", async () => {
    await world.deploy({ w: siteTexts({ [PHOTO]: "photo" }) });
    const first = world.live("site") ?? "";
    await world.deployMany(5);
    const { plan } = await pruneAfter(2);
    expect([...plan.releases.keys()]).toEqual([first]);
    expect(plan.assets).toEqual([PHOTO]);
    expect(world.bucket.keys("assets/")).toEqual([ASSET]);
  });

  it("that a release of another workspace shows stay", async () => {
    await world.deploy({ w: siteTexts({ [PHOTO]: "photo" }) });
    await world.deploy({ v: { ...projectTexts("shop"), [PHOTO]: "photo" } });
    await world.deployMany(5);
    const { plan } = await pruneAfter(2, { workspaceId: "w" });
    expect([plan.releases.size, plan.assets]).toEqual([1, []]);
  });

  it("that a release has come to show since the plan stay", async () => {
    await world.deploy({ w: siteTexts({ [PHOTO]: "photo" }) });
    await world.deployMany(5);
    const plan = await planAfter(2);
    expect(plan.assets).toEqual([PHOTO]);
    await world.deploy({ w: siteTexts({ [PHOTO]: "photo", [CONTENT]: "new" }) });
    const how = { now: new Date(Date.now() + 2 * DAY), maxDeletes: 1e6 };
    await prune(plan, world.places, world.work, how);
    expect(world.bucket.keys("assets/")).toEqual([ASSET, PHOTO].sort());
  });

  it("that are younger than a day, or that others put there, stay", async () => {
    await world.deployMany(1);
    await putAsset(PHOTO);
    for (const key of ["assets/logo.svg", "assets/0123456789abcdef/theirs.png"]) {
      world.bucket.put(key, "x");
    }
    await putAsset("assets/notes.txt");
    expect((await planAfter(0.9)).assets).toEqual([]);
    expect((await pruneAfter(2)).plan.assets).toEqual([PHOTO]);
  });
});

describe("a prune", () => {
  it("is refused when nothing is live by the KeyValueStore: it may be another bucket's", async () => {
    await world.deployMany(2);
    world.kvs.write("p:site", `w/${"e".repeat(32)}-0123456789ab`);
    await expect(planAfter(2)).rejects.toMatchObject({ code: "nothing-live" });
  });

  it("is refused beyond --max-deletes, before anything is removed", async () => {
    await world.deployMany(7);
    const keys = world.bucket.keys();
    await expect(pruneAfter(2, { maxDeletes: 7 })).rejects.toMatchObject({
      code: "too-many-deletes",
    });
    expect(world.bucket.keys()).toEqual(keys);
    expect((await pruneAfter(2, { maxDeletes: 8 })).removed).toBe(8);
  });

  it("is refused with the keys that the store would not remove; the next run goes on", async () => {
    const [first = ""] = await world.deployMany(6);
    const key = `r/${first}/${CONTENT}`;
    world.bucket.held.add(key);
    await expect(pruneAfter(2)).rejects.toMatchObject({
      code: "delete-failed",
      problems: [{ key, reason: expect.stringMatching(/^AccessDenied/) }],
    });
    world.bucket.held.clear();
    await pruneAfter(2);
    expect(world.folders()).not.toContain(first);
  });

  it("removes the manifest of a release first: stopped then, the next run goes on", async () => {
    const [first = "", ...others] = await world.deployMany(6);
    const plan = await planAfter(2);
    const how = { now: new Date(Date.now() + 2 * DAY), maxDeletes: 1e6 };
    const objects = {
      ...world.places.objects,
      delete: async (keys: readonly string[]) => {
        await world.places.objects.delete(keys.slice(0, 1));
        throw new Error("cut");
      },
    };
    const cut = prune(plan, { ...world.places, objects }, world.work, how);
    await expect(cut).rejects.toThrow("cut");
    expect(world.bucket.changes.at(-1)).toBe(`delete r/${first}/manifest.json`);
    await pruneAfter(2);
    expect(world.folders()).toEqual(others.sort());
  });

  it("reads the pointers before each 1,000 objects", async () => {
    const [first = ""] = await world.deployMany(6);
    for (let n = 0; n < 1_200; n += 1) world.bucket.put(`r/${first}/${n}`, "x");
    world.bucket.after = ({ name }) => name === "delete" && world.kvs.write("p:site", first);
    const { spared, removed } = await pruneAfter(2);
    expect({ spared, removed }).toEqual({ spared: [first], removed: 1_000 });
    expect(world.bucket.keys(`r/${first}/`)).toHaveLength(204);
  });

  it("ends at an aborted signal with its reason, and removes nothing more", async () => {
    await world.deployMany(7);
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    world.bucket.after = ({ name }) => name === "delete" && stop.abort(reason);
    const how = { now: new Date(Date.now() + 2 * DAY), maxDeletes: 1e6 };
    const work = { ...world.work, signal: stop.signal };
    const stopped = prune(await planAfter(2), world.places, work, how);
    await expect(stopped).rejects.toBe(reason);
    expect(world.folders()).toHaveLength(6);
  });
});
