import { beforeEach, describe, expect, it } from "vitest";
import { pathsToInvalidate } from "../../../src/deploy/in-place/deploy-in-place.ts";
import { useEnv } from "../../support/deploy/aws-stand-in.ts";
import {
  type CloudFrontStandIn,
  startCloudFront,
} from "../../support/deploy/cloudfront-stand-in.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { projectTexts, siteTexts } from "../published-texts.ts";
import {
  ASSET,
  CONTENT,
  expectedTexts,
  MANIFEST,
  MemoryInPlaceBed,
  MOVED,
  PROJECT,
  SITE,
} from "./memory-in-place-bed.ts";

let bed: MemoryInPlaceBed;
beforeEach(() => {
  bed = new MemoryInPlaceBed();
});

describe("L5: a deploy in place", () => {
  it("H2: uploads every document to the key of its URL path, with its headers", async () => {
    await bed.deploy();
    expect(bed.texts()).toEqual(expectedTexts(SITE));
    const problem = { contentType: "application/problem+json", cacheControl: "no-store" };
    const contentType = "application/json; charset=utf-8";
    const cacheControl = "public, max-age=30, stale-while-revalidate=30, stale-if-error=36000";
    for (const [key, head] of [
      [CONTENT, { contentType, cacheControl }],
      ["404.json", problem],
      ["503.json", problem],
    ] as const)
      expect(await bed.bucket.open().head(key)).toMatchObject(head);
  });

  it("accepts keys named like members of Object.prototype", async () => {
    const odd = { w: { ...projectTexts("constructor"), ...projectTexts("__proto__") } };
    await bed.deploy(odd);
    expect(bed.texts()).toEqual(expectedTexts(odd));
    expect((await bed.deploy(odd)).objects).toEqual({ uploaded: 0, unchanged: 4, removed: 0 });
  });

  it("is refused in a bucket with releases, and for a project of another workspace", async () => {
    bed.bucket.put("r/w/x/manifest.json", "{}");
    await expect(bed.deploy()).rejects.toMatchObject({ code: "target-has-releases" });
    expect(bed.bucket.changes).toHaveLength(1);
    bed.bucket.objects.clear();
    await bed.deploy();
    await expect(bed.deploy({ v: siteTexts() })).rejects.toMatchObject({
      code: "project-of-another-workspace",
    });
  });

  it.each(["Content-Type", "Cache-Control"])(
    "uploads an object with the same bytes and another %s again",
    async (name) => {
      const store = bed.bucket.open();
      await bed.deploy();
      const wanted = bed.bucket.objects.get(CONTENT)?.headers;
      bed.bucket.objects.delete(MANIFEST);
      await store.put(CONTENT, bodyOf("content"), { ...wanted, [name]: "other" });
      await bed.deploy();
      const { objects, ...manifest } = bed.manifest();
      const headers = { ...wanted, [name]: "earlier" };
      const earlier = { ...objects, [CONTENT]: { ...objects[CONTENT], headers } };
      bed.bucket.put(MANIFEST, JSON.stringify({ ...manifest, objects: earlier }));
      const { plan } = await bed.deploy(SITE, { dryRun: true });
      expect(plan).toEqual([{ action: "upload", what: CONTENT, reason: "headers changed" }]);
      await bed.deploy();
      expect(bed.bucket.objects.get(CONTENT)?.headers).toEqual(wanted);
    },
  );

  it("uploads nothing again where only the manifest is lost", async () => {
    await bed.deploy();
    bed.bucket.objects.delete(MANIFEST);
    const count = bed.bucket.changes.length;
    await bed.deploy();
    expect(bed.changesSince(count)).toEqual([]);
    expect(Object.keys(bed.manifest().objects)).toHaveLength(6);
  });
});

describe("L6a: a deploy that fails", () => {
  it("in a removal reports the keys; the next one completes it", async () => {
    await bed.deploy();
    bed.bucket.undeletable.add(CONTENT);
    await expect(bed.deploy(MOVED)).rejects.toMatchObject({
      code: "delete-failed",
      problems: { kind: "objects", list: [{ key: CONTENT }] },
    });
    bed.bucket.undeletable.clear();
    await bed.deploy(MOVED);
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  });

  it("at an aborted signal ends with its reason, and writes no other document", async () => {
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    bed.bucket.after = ({ keys }) => keys[0] === ASSET && stop.abort(reason);
    await expect(bed.deploy(SITE, { signal: stop.signal })).rejects.toBe(reason);
    expect(bed.bucket.text(CONTENT)).toBeUndefined();
    expect(bed.manifest().deploy).toBeUndefined();
  });
});

describe("L7: an invalidation", () => {
  let cdn: CloudFrontStandIn;
  let distribution: string;
  beforeEach(async () => {
    cdn = await startCloudFront();
    useEnv(cdn.env);
    distribution = cdn.distribution;
  });

  const REFUSAL = { status: 400, name: "TooManyInvalidationsInProgress" } as const;
  const PENDING = { code: "invalidation-pending" };

  it("is one request with the changed paths, as a dry run says, and none without changes", async () => {
    await bed.deploy(SITE, { distribution });
    const { plan } = await bed.deploy(MOVED, { distribution, dryRun: true });
    const { invalidations } = await bed.deploy(MOVED, { distribution });
    expect(invalidations).toEqual([{ distribution, id: "I2", paths: 4 }]);
    const keys = [PROJECT, `${PROJECT}/experiences/hello/content`, CONTENT, `${PROJECT}/schema`];
    const paths = keys.map((key) => `/${key}`);
    expect(cdn.invalidations[1]?.paths).toEqual(paths);
    expect(plan.slice(4).map(({ action, what }) => `${action} ${what}`)).toEqual(
      paths.map((path) => `invalidate ${path}`),
    );
    expect((await bed.deploy(MOVED, { distribution })).invalidations).toEqual([]);
    expect(cdn.invalidations).toHaveLength(2);
  });

  it("has what a deploy wrote that was killed at its last write", async () => {
    await bed.deploy();
    let isKilled = false;
    bed.bucket.before = ({ name, keys }) => {
      isKilled ||= name === "put" && keys[0] === MANIFEST && bed.bucket.text(PROJECT) !== "config";
      if (isKilled) throw new Error("killed");
    };
    await expect(bed.deploy(MOVED)).rejects.toThrow("killed");
    bed.bucket.before = () => {};
    const { objects, invalidations } = await bed.deploy(MOVED, { distribution, force: true });
    expect(objects).toEqual({ uploaded: 0, unchanged: 6, removed: 0 });
    expect(invalidations).toMatchObject([{ paths: 4 }]);
  });

  it("that is refused is recorded, and repeated once, also where another one is accepted", async () => {
    cdn.faults.push(REFUSAL);
    await expect(bed.deploy(SITE, { distribution })).rejects.toMatchObject(PENDING);
    expect(bed.texts()).toEqual(expectedTexts(SITE));
    const [first] = bed.manifest().invalidations;
    const without = await bed.deploy();
    expect(without).toMatchObject({ invalidations: [] });
    expect(without.text).toContain(`--distribution ${distribution} repeats it`);
    // The recorded one is accepted, the new one is not.
    cdn.faults.push("none", REFUSAL);
    await expect(bed.deploy(MOVED, { distribution })).rejects.toMatchObject(PENDING);
    const [second, ...more] = bed.manifest().invalidations;
    expect(more).toEqual([]);
    const again = await bed.deploy(MOVED, { distribution });
    expect(again.invalidations).toMatchObject([{ distribution, paths: 4 }]);
    expect((await bed.deploy(MOVED, { distribution })).invalidations).toEqual([]);
    const accepted = cdn.invalidations.map(({ reference, paths }) => [reference, paths.length]);
    expect(accepted).toEqual([
      [first?.reference, 6],
      [second?.reference, 4],
    ]);
  });

  it("of a missing distribution is reported, and not requested again", async () => {
    await expect(bed.deploy(SITE, { distribution: "E0NONE" })).rejects.toMatchObject({
      code: "distribution-not-found",
    });
    expect(bed.manifest().invalidations).toEqual([]);
    expect((await bed.deploy()).invalidations).toEqual([]);
  });

  it("has the keys, percent-encoded and sorted; one wildcard for more than 15", () => {
    expect(pathsToInvalidate(["b/ü &?#.png", "a", "x*.png"])).toEqual([
      "/a",
      "/b/%C3%BC%20%26%3F%23.png",
      "/x%2A.png",
    ]);
    const keys = Array.from({ length: 16 }, (_, n) => `k${n}`);
    expect(pathsToInvalidate(keys)).toEqual(["/*"]);
    expect(pathsToInvalidate(keys.slice(1))).toHaveLength(15);
  });
});
