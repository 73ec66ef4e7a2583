import { beforeEach, describe, expect, it } from "vitest";
import { planRollback } from "../../../src/deploy/releases/deploy-release.ts";
import { findRelease } from "../../../src/deploy/releases/list-releases.ts";
import { projectTexts } from "../published-texts.ts";
import { MemoryReleaseBed } from "./memory-release-bed.ts";

let bed: MemoryReleaseBed;
beforeEach(() => {
  bed = new MemoryReleaseBed();
});

const find = (text?: string, workspaceId?: string) =>
  findRelease(bed.places, bed.work, { text, workspaceId });

/** A release with nothing but a manifest. */
function putRelease(workspaceId: string, versionId: string): string {
  const name = `${workspaceId}/${versionId.padEnd(32, "0")}-0123456789ab`;
  bed.bucket.put(`r/${name}/manifest.json`, "{}");
  return name;
}

describe("L3: a release is found", () => {
  it("by its name, or by a prefix of its version id, if it has a manifest", async () => {
    const [first = "", second = ""] = await bed.deployMany(2);
    for (const text of [second, second.slice(2, 10), second.slice(2)])
      expect((await find(text)).release).toBe(second);
    bed.bucket.objects.delete(`r/${first}/manifest.json`);
    for (const text of [first, "xyz"])
      await expect(find(text)).rejects.toMatchObject({ code: "release-not-found" });
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

it("L3: a rollback names the workspace where several are live", async () => {
  const planned = (workspaceId?: string) =>
    planRollback(bed.places, bed.work, { text: undefined, workspaceId });
  await expect(planned()).rejects.toMatchObject({ code: "no-earlier-release" });
  const [first] = await bed.deployMany(2);
  await bed.deploy({ v: projectTexts("shop") });
  await expect(planned()).rejects.toMatchObject({ code: "workspace-ambiguous" });
  await expect(planned("v")).rejects.toMatchObject({ code: "no-earlier-release" });
  expect((await planned("w")).releases[0]?.name).toBe(first);
});
