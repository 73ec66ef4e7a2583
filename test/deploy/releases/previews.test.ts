import { beforeEach, describe, expect, it } from "vitest";
import {
  makeLive,
  planRelease,
  uploadReleases,
} from "../../../src/deploy/releases/deploy-release.ts";
import { planTokens } from "../../../src/deploy/releases/pointers.ts";
import { dropPreviews, previewsIn } from "../../../src/deploy/releases/previews.ts";
import { planPrune, prune } from "../../../src/deploy/releases/prune.ts";
import { siteTexts, writtenFolder } from "../published-texts.ts";
import { CONTENT, MemoryReleaseBed } from "./memory-release-bed.ts";

const DAY = 24 * 3_600_000;
const expiresAt = new Date(Date.now() + 7 * DAY);

let bed: MemoryReleaseBed;
beforeEach(() => {
  bed = new MemoryReleaseBed();
  // No two objects are as old: the last releases are those that came last.
  let at = Date.now();
  bed.bucket.now = () => {
    at += 1;
    return new Date(at);
  };
});

const site = (content: string) => ({ w: siteTexts({ [CONTENT]: content }) });

/** Deploys a workspace as a preview; returns its release. */
async function preview(content: string, name = "pr-41", sha256 = "a".repeat(64)): Promise<string> {
  const { places, work } = bed;
  const published = writtenFolder(site(content));
  const how = { preview: { name, sha256, expiresAt } };
  const plan = await planRelease(published, ["w"], places, work, how);
  await uploadReleases(published, plan, places.objects, work);
  await makeLive(plan, places, work);
  return plan.releases[0]?.name ?? "";
}

const tokens = () => [...bed.kvs.values].filter(([key]) => key.startsWith("t:"));

const pruned = async (now: Date) =>
  prune(await planPrune(bed.places, bed.work, { now }), bed.places, bed.work, {
    now,
    maxDeletes: 1e6,
  });

describe("L15: a preview", () => {
  it("is a release that the hash of a token names, and makes nothing live", async () => {
    await bed.deploy(site("old"));
    const live = bed.live("site");
    const release = await preview("new");
    expect(bed.live("site")).toBe(live);
    expect(tokens()).toEqual([[`t:${"a".repeat(64)}:site`, `${+expiresAt} ${release} pr-41`]]);
    expect(previewsIn(await bed.kvs.read())).toEqual([{ name: "pr-41", release, expiresAt }]);
  });

  it("takes the place of an earlier one of its name, and of no other", async () => {
    await preview("one", "pr-40", "b".repeat(64));
    await preview("two");
    await preview("three", "pr-41", "c".repeat(64));
    expect(tokens().map(([key]) => key[2])).toEqual(["b", "c"]);
    expect(await dropPreviews(bed.kvs, ({ name }) => name === "pr-41")).toBe(true);
    expect(tokens().map(([key]) => key[2])).toEqual(["b"]);
    expect(await dropPreviews(bed.kvs, ({ name }) => name === "pr-41")).toBe(false);
  });

  it("of what is then deployed leaves nothing to upload", async () => {
    await bed.deploy(site("old"));
    const release = await preview("new");
    const { uploads } = await bed.deploy(site("new"));
    expect(uploads.map((one) => one.uploads)).toEqual([[]]);
    expect(bed.live("site")).toBe(release);
  });

  it("L4, L4a: is kept by a prune until it ends, and then goes, with its keys", async () => {
    const shown = await preview("new");
    await bed.deployMany(7);
    await pruned(new Date(+expiresAt - DAY));
    expect(bed.folders()).toContain(shown);
    const { previews } = await planPrune(bed.places, bed.work, { now: expiresAt });
    expect(previews).toEqual(["pr-41"]);
    await pruned(expiresAt);
    expect(bed.folders()).not.toContain(shown);
    expect(tokens()).toEqual([]);
  });

  it("L4: needs nothing that is live: a store of previews is pruned, but for those of another bucket", async () => {
    const shown = await preview("new");
    await dropPreviews(bed.kvs, () => true);
    for (let n = 0; n < 5; n += 1) await preview(`later ${n}`, "pr-42", `${n}`.repeat(64));
    await pruned(new Date(Date.now() + 2 * DAY));
    expect(bed.folders()).toHaveLength(5);
    expect(bed.folders()).not.toContain(shown);
    bed.kvs.write("v:w", "s3://another");
    await expect(pruned(expiresAt)).rejects.toMatchObject({ code: "nothing-live" });
  });

  it("L4a: is spared where it came after the plan of a prune", async () => {
    await bed.deploy(site("new"));
    await bed.deployMany(7);
    const now = new Date(Date.now() + 2 * DAY);
    const planned = await planPrune(bed.places, bed.work, { now });
    const shown = await preview("new");
    const { spared } = await prune(planned, bed.places, bed.work, { now, maxDeletes: 1e6 });
    expect(spared).toEqual([shown]);
  });

  it("L13: ends at a time that can be shown, whoever wrote its key", async () => {
    bed.kvs.write(`t:${"a".repeat(64)}:site`, `${"9".repeat(30)} w/x name`);
    const [one] = previewsIn(await bed.kvs.read());
    expect(one?.expiresAt.toISOString()).toMatch(/^\+2757/);
  });

  it("L8: has a token that svc cdn tokens leaves alone", async () => {
    await preview("new");
    expect(planTokens(await bed.kvs.read(), [], ["site"])).toEqual([]);
  });
});
