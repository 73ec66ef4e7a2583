import { expect, it } from "vitest";
import { openKeyValueStore } from "../../src/deploy/aws/cloudfront-key-value-store.ts";
import {
  makeLive,
  planRelease,
  planRollback,
  uploadReleases,
} from "../../src/deploy/releases/deploy-release.ts";
import { planPrune, prune } from "../../src/deploy/releases/prune.ts";
import { siteTexts, writtenFolder } from "../deploy/published-texts.ts";
import { CONTENT } from "../deploy/releases/memory-release-bed.ts";
import { useEnv } from "../support/deploy/aws-stand-in.ts";
import { startKvs } from "../support/deploy/kvs-stand-in.ts";
import { expectCompleteRelease, liveReleases } from "./live-release.ts";
import { ObjectStoreBed } from "./object-store-bed.ts";

it("L4a: a release whose removal is under way cannot be rolled back to, and one that is live is not removed", async () => {
  const [bed, kvs] = [await ObjectStoreBed.make(), await startKvs()];
  useEnv(kvs.env);
  const { signal } = new AbortController();
  const work = { concurrency: 8, signal, onProgress: () => {} };
  const stores = { objects: bed.open(), pointers: openKeyValueStore(kvs.arn, { signal }) };
  const textsOf = (n: number) => siteTexts({ [CONTENT]: `content ${n}` });
  const releases: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    const folder = writtenFolder({ w: textsOf(n) });
    const plan = await planRelease(folder, ["w"], stores, work);
    await uploadReleases(folder, plan, stores.objects, work);
    await makeLive(plan, stores, work);
    releases.push(...liveReleases(kvs));
  }
  const now = new Date(Date.now() + 48 * 3_600_000);
  const plan = await planPrune(stores, work, { now });
  expect(plan.releases.size).toBe(3);
  const rollBack = async (text = "") =>
    makeLive(await planRollback(stores, work, { text }), stores, work);
  // The first release has become live since the plan; the removal of another one is slow.
  await rollBack(releases[0]);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let slow = "";
  let refusal = "none";
  bed.proxy.fault = ({ method }) => {
    if (method !== "POST" || slow !== "") return undefined;
    slow = releases.find((name) => kvs.values.has(`d:${name}`)) ?? "";
    void rollBack(slow)
      .catch((error) => {
        refusal = error.code;
      })
      .finally(answer);
    return { hold: held };
  };
  const how = { now, maxDeletes: 1e6 };
  expect((await prune(plan, stores, work, how)).spared).toEqual([releases[0]]);
  expect(refusal).toBe("release-being-removed");
  expect(liveReleases(kvs)).toEqual([releases[0]]);
  await expectCompleteRelease(bed.bucket, releases[0] ?? "", new Map(Object.entries(textsOf(0))));
  expect(await bed.bucket.keys(`r/${slow}/`)).toEqual([]);
  await expect(rollBack(slow)).rejects.toMatchObject({ code: "release-not-found" });
});
