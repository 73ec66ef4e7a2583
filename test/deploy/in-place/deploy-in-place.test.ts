import { beforeEach, describe, expect, it } from "vitest";
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

  it("L7: is one of everything, as a dry run says, and none without changes", async () => {
    await bed.deploy(SITE, { distribution });
    const { plan } = await bed.deploy(MOVED, { distribution, dryRun: true });
    expect(plan.at(-1)).toEqual({ action: "invalidate", what: "/*", reason: distribution });
    const { invalidation } = await bed.deploy(MOVED, { distribution });
    expect(invalidation).toEqual({ distribution, id: "I2" });
    for (const hold of [false, true]) {
      expect((await bed.deploy(MOVED, { distribution, hold })).invalidation).toBeUndefined();
    }
    expect(cdn.invalidations).toHaveLength(2);
  });

  it("L7: follows what a deploy wrote that was killed at its last write", async () => {
    await bed.deploy();
    let isKilled = false;
    bed.bucket.before = ({ name, keys }) => {
      isKilled ||= name === "put" && keys[0] === MANIFEST && bed.bucket.text(PROJECT) !== "config";
      if (isKilled) throw new Error("killed");
    };
    await expect(bed.deploy(MOVED)).rejects.toThrow("killed");
    bed.bucket.before = () => {};
    const taking = await bed.deploy(MOVED, { distribution, force: true });
    const { objects, invalidation, text } = taking;
    expect(text).toMatch(/\ntook over from process \d+ on .+, since \d{4}-.*\n/);
    expect(objects).toEqual({ uploaded: 0, unchanged: 6, removed: 0 });
    expect(invalidation).toMatchObject({ id: "I1" });
  });

  it("L7: that is refused ends a deploy that is done, and is not repeated", async () => {
    cdn.faults.push({ status: 400, name: "TooManyInvalidationsInProgress" });
    await expect(bed.deploy(SITE, { distribution })).rejects.toMatchObject({
      code: "invalidation-refused",
      message: expect.stringMatching(/^the files are deployed, but/),
    });
    expect(bed.texts()).toEqual(expectedTexts(SITE));
    expect((await bed.deploy(SITE, { distribution })).invalidation).toBeUndefined();
    expect(cdn.invalidations).toEqual([]);
  });
});
