import { beforeEach, describe, expect, it } from "vitest";
import { makeLive, planRollback } from "../../../src/deploy/releases/deploy-release.ts";
import { findRelease, listReleases } from "../../../src/deploy/releases/list-releases.ts";
import { projectTexts } from "../published-texts.ts";
import { CONTENT, INDEX, MemoryReleaseBed } from "./memory-release-bed.ts";

let bed: MemoryReleaseBed;
beforeEach(() => {
  bed = new MemoryReleaseBed();
});

const list = async (workspaceId?: string) =>
  (await listReleases(bed.places, bed.work, workspaceId)).releases;
const find = (text?: string, workspaceId?: string) =>
  findRelease(bed.places, bed.work, { text, workspaceId });

/** Rolls back to a release, and returns the plan. */
async function rollback(text?: string, workspaceId?: string) {
  const plan = await planRollback(bed.places, bed.work, { text, workspaceId });
  await makeLive(plan, bed.places, bed.work);
  return plan;
}

/** A release with nothing but a manifest. */
function putRelease(workspaceId: string, versionId: string): string {
  const name = `${workspaceId}/${versionId.padEnd(32, "0")}-0123456789ab`;
  bed.bucket.put(`r/${name}/manifest.json`, "{}");
  return name;
}

describe("L3: the releases of a bucket", () => {
  it("are listed by workspace, the newest first, with what is live and pinned", async () => {
    const [first = "", second = ""] = await bed.deployMany(2);
    await bed.deploy({ a: projectTexts("shop") });
    bed.bucket.put(`pins/${first}`, "{}");
    expect(await list()).toMatchObject([
      { release: bed.live("shop"), workspaceId: "a", live: ["shop"], isPinned: false },
      { release: second, workspaceId: "w", live: ["site"], isPinned: false },
      { release: first, workspaceId: "w", live: [], isPinned: true },
    ]);
    expect((await list("w")).map(({ release }) => release)).toEqual([second, first]);
    expect(first).toMatch(new RegExp(`^w/${(await list("w"))[1]?.versionId}-`));
  });

  it("have the time of their manifest, if there is one", async () => {
    const [first = "", second = ""] = await bed.deployMany(2);
    bed.bucket.objects.delete(`r/${first}/manifest.json`);
    const at = bed.bucket.objects.get(`r/${second}/manifest.json`)?.lastModified;
    expect(await list()).toMatchObject([
      { release: second, deployedAt: at },
      { release: first, deployedAt: null },
    ]);
  });

  it("are the folders with a valid release name", async () => {
    for (const key of ["r/w/notes/manifest.json", "r/file.json"]) bed.bucket.put(key, "{}");
    expect(await list()).toEqual([]);
  });
});

describe("L3: a release is found", () => {
  it("by its name, or by a prefix of its version id", async () => {
    const [first = "", second = ""] = await bed.deployMany(2);
    expect((await find(first)).release).toBe(first);
    expect((await find(second.slice(2, 10))).release).toBe(second);
    expect((await find(second.slice(2))).release).toBe(second);
  });

  it("only when it has a manifest", async () => {
    const [first = ""] = await bed.deployMany(2);
    bed.bucket.objects.delete(`r/${first}/manifest.json`);
    await expect(find(first)).rejects.toMatchObject({ code: "release-not-found" });
    await expect(find("xyz")).rejects.toMatchObject({ code: "release-not-found" });
  });

  it("only when no other of the given workspace has the same prefix", async () => {
    // The newest comes first.
    const [other, one] = [putRelease("w", "ab"), putRelease("w", "aa")];
    const elsewhere = putRelease("v", "aac");
    await expect(find("a", "w")).rejects.toMatchObject({
      code: "release-ambiguous",
      hint: expect.stringMatching(`${one}.*${other}`),
    });
    await expect(find("aa")).rejects.toMatchObject({ code: "release-ambiguous" });
    expect((await find("aa", "w")).release).toBe(one);
    expect((await find("aac")).release).toBe(elsewhere);
  });
});

describe("L3: a rollback", () => {
  it.each([
    ["an object is gone", `${CONTENT}`, undefined, "release-incomplete"],
    ["an object has other bytes", `${INDEX}`, "CONFIG", "release-differs"],
    ["its manifest has other bytes", "manifest.json", "{}", "release-differs"],
  ])("is refused when %s, and changes nothing", async (_what, path, text, code) => {
    const [first, second] = await bed.deployMany(2);
    const key = `r/${first}/${path}`;
    if (text === undefined) bed.bucket.objects.delete(key);
    else bed.bucket.put(key, text);
    await expect(rollback()).rejects.toMatchObject({ code });
    expect(bed.live("site")).toBe(second);
  });

  it("is refused when its manifest is that of another version", async () => {
    const [first] = await bed.deployMany(2);
    const key = `r/${first}/manifest.json`;
    const manifest = JSON.parse(bed.bucket.text(key) ?? "");
    bed.bucket.put(key, JSON.stringify({ ...manifest, versionId: "e".repeat(32) }));
    await expect(rollback()).rejects.toMatchObject({ code: "release-differs" });
  });

  it("is refused when no release was live before, or several workspaces are live", async () => {
    await expect(rollback()).rejects.toMatchObject({ code: "no-earlier-release" });
    const [, second] = await bed.deployMany(2);
    await bed.deploy({ v: projectTexts("shop") });
    await expect(rollback()).rejects.toMatchObject({ code: "workspace-ambiguous" });
    await expect(rollback(undefined, "v")).rejects.toMatchObject({ code: "no-earlier-release" });
    expect(bed.live("site")).toBe(second);
    await rollback(undefined, "w");
    expect(bed.live("site")).not.toBe(second);
  });
});
