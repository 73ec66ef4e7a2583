import { beforeEach, describe, expect, it } from "vitest";
import { deployReleases } from "../../src/cli/commands/deploy.ts";
import {
  projectTexts,
  siteTexts,
  type Workspaces,
  writtenFolder,
} from "../deploy/published-texts.ts";
import { useEnv } from "../support/deploy/aws-stand-in.ts";
import { type KvsStandIn, startKvs } from "../support/deploy/kvs-stand-in.ts";
import { MemoryBucket } from "../support/deploy/memory-object-store.ts";

const SITE = { w: siteTexts(projectTexts("shop")) };
const { signal } = new AbortController();

let bucket: MemoryBucket;
let kvs: KvsStandIn;
beforeEach(async () => {
  bucket = new MemoryBucket();
  kvs = await startKvs();
  useEnv(kvs.env);
});

async function deploy(
  workspaces: Workspaces,
  more: { dryRun?: boolean; maxDeletes?: number } = {},
) {
  const objects = bucket.open();
  const work = { concurrency: 4, signal, onProgress: () => {} };
  const { value, text } = await deployReleases(
    { out: "out", wait: 0, kvs: kvs.arn, concurrency: 4, maxDeletes: 100, ...more },
    { objects, manifestStore: objects, work, signal },
    writtenFolder(workspaces),
    Object.keys(workspaces),
  );
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results freely
  return { ...(value as any), text };
}

const live = (projectId: string) => kvs.values.get(`p:${projectId}`);

describe("svc deploy --kvs", () => {
  it("reports each workspace: its release, what was uploaded, what is live and what is not any more", async () => {
    const first = await deploy(SITE);
    expect(first.workspaces).toEqual([
      {
        workspaceId: "w",
        versionId: expect.stringMatching(/^[0-9a-f]{32}$/),
        release: live("site"),
        objects: { uploaded: 5, present: 0 },
        bytes: 40,
        projects: ["shop", "site"],
        removed: [],
      },
    ]);
    expect((await deploy({ w: siteTexts() })).workspaces).toMatchObject([
      { objects: { uploaded: 3, present: 1 }, projects: ["site"], removed: ["shop"] },
    ]);
    expect((await deploy({ w: siteTexts() })).workspaces).toMatchObject([
      { objects: { uploaded: 0, present: 4 }, projects: [], removed: [] },
    ]);
  });

  it("with --dry-run plans the same, counts what is there already, and changes nothing", async () => {
    const { plan, text } = await deploy(SITE, { dryRun: true });
    expect(plan.map(({ action }: { action: string }) => action)).toEqual([
      ...Array(8).fill("upload"),
      "point",
      "point",
    ]);
    expect(plan.at(-1).reason).toMatch(/^from nothing to w\//);
    expect(text).toMatch(/\n0 unchanged$/);
    expect([bucket.changes, [...kvs.values]]).toEqual([[], []]);
    await deploy(SITE);
    expect((await deploy(SITE, { dryRun: true })).text).toMatch(/5 unchanged$/);
    expect((await deploy({ w: siteTexts() }, { dryRun: true })).text).toMatch(/\n1 unchanged$/);
  });

  it("takes off no more projects than --max-deletes allows", async () => {
    await deploy(SITE);
    const count = bucket.changes.length;
    await expect(deploy({ w: siteTexts() }, { maxDeletes: 0 })).rejects.toMatchObject({
      code: "too-many-deletes",
    });
    expect(bucket.changes).toHaveLength(count);
    await deploy({ w: siteTexts() }, { maxDeletes: 1 });
    expect(live("shop")).toBeUndefined();
  });
});
