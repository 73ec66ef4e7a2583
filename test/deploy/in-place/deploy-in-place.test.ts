import { beforeEach, describe, expect, it } from "vitest";
import { pathsToInvalidate } from "../../../src/deploy/in-place/deploy-in-place.ts";
import { useEnv } from "../../support/deploy/aws-stand-in.ts";
import { startCloudFront } from "../../support/deploy/cloudfront-stand-in.ts";
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

const changed = (text = "changed") => ({ w: siteTexts({ [`${CONTENT}.json`]: text }) });

describe("L5: a deploy in place", () => {
  it("H2: uploads every document to the key of its URL path, with its headers", async () => {
    const { objects } = await bed.deploy();
    expect(objects).toEqual({ uploaded: 6, unchanged: 0, removed: 0 });
    expect(bed.texts()).toEqual(expectedTexts(SITE));
    const store = bed.bucket.open();
    expect(await store.head(CONTENT)).toMatchObject({
      contentType: "application/json; charset=utf-8",
      cacheControl: "public, max-age=30, stale-while-revalidate=30, stale-if-error=36000",
    });
    for (const key of ["404.json", "503.json"]) {
      expect(await store.head(key)).toMatchObject({
        contentType: "application/problem+json",
        cacheControl: "no-store",
      });
    }
  });

  it("F3: uploads only what changed: contents, schemas, configs, and then removes", async () => {
    await bed.deploy();
    const count = bed.bucket.changes.length;
    const { objects } = await bed.deploy(MOVED);
    expect(objects).toEqual({ uploaded: 3, unchanged: 3, removed: 1 });
    expect(bed.bucket.changes.slice(count)).toEqual([
      `put ${MANIFEST}`,
      `put ${PROJECT}/experiences/hello/content`,
      `put ${PROJECT}/schema`,
      `put ${PROJECT}`,
      `delete ${CONTENT}`,
      `put ${MANIFEST}`,
    ]);
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  });

  it("writes below the prefix only", async () => {
    bed.bucket.put(PROJECT, "someone's");
    bed.prefix = "a/b/";
    await bed.deploy();
    await bed.deploy(MOVED);
    expect(bed.bucket.text(PROJECT)).toBe("someone's");
    expect(bed.bucket.text(`a/b/${PROJECT}`)).toBe("config 2");
    expect(bed.bucket.keys("a/b/")).toHaveLength(7);
  });

  it("refuses a project that was deployed from another workspace", async () => {
    await bed.deploy();
    await expect(bed.deploy({ v: siteTexts() })).rejects.toMatchObject({
      code: "project-of-another-workspace",
    });
  });

  it("accepts keys named like members of Object.prototype", async () => {
    const odd = { w: { ...projectTexts("constructor"), ...projectTexts("__proto__") } };
    await bed.deploy(odd);
    expect(bed.texts()).toEqual(expectedTexts(odd));
    expect((await bed.deploy(odd)).objects).toEqual({ uploaded: 0, unchanged: 4, removed: 0 });
  });

  it("refuses more removals than --max-deletes before any write", async () => {
    await bed.deploy();
    const count = bed.bucket.changes.length;
    await expect(bed.deploy(MOVED, { maxDeletes: 0 })).rejects.toMatchObject({
      code: "too-many-deletes",
    });
    expect(bed.bucket.changes).toHaveLength(count);
    expect((await bed.deploy(MOVED, { maxDeletes: 1 })).objects.removed).toBe(1);
  });

  it("is refused in a bucket with releases", async () => {
    bed.bucket.put("r/w/x/manifest.json", "{}");
    await expect(bed.deploy()).rejects.toMatchObject({ code: "target-has-releases" });
    expect(bed.bucket.changes).toHaveLength(1);
  });

  it("is refused when the manifest is invalid", async () => {
    bed.bucket.put(MANIFEST, '{"formatVersion":2}');
    await expect(bed.deploy()).rejects.toMatchObject({ code: "deploy-manifest-invalid" });
    expect(bed.bucket.changes).toHaveLength(1);
  });

  it("with --dry-run writes nothing, and counts the unchanged objects", async () => {
    const first = await bed.deploy(SITE, { dryRun: true });
    expect(first.plan).toContainEqual({ action: "upload", what: CONTENT, reason: "new" });
    expect(first.text).toMatch(/\n0 unchanged$/);
    expect(bed.bucket.changes).toEqual([]);
    await bed.deploy();
    const count = bed.bucket.changes.length;
    const { plan, text } = await bed.deploy(MOVED, { dryRun: true, distribution: "E1" });
    expect(plan.map(({ action, what }) => `${action} ${what}`)).toEqual([
      `upload ${PROJECT}/experiences/hello/content`,
      `upload ${PROJECT}/schema`,
      `upload ${PROJECT}`,
      `delete ${CONTENT}`,
      `invalidate /${PROJECT}`,
      `invalidate /${PROJECT}/experiences/hello/content`,
      `invalidate /${CONTENT}`,
      `invalidate /${PROJECT}/schema`,
    ]);
    expect(text).toMatch(/\n3 unchanged$/);
    expect((await bed.deploy(SITE, { dryRun: true })).text).toMatch(/6 unchanged$/);
    expect(bed.bucket.changes).toHaveLength(count);
  });
});

describe("an existing object", () => {
  it("of another deploy is replaced only with --overwrite", async () => {
    await bed.bucket.open().put(CONTENT, bodyOf("other's"), {});
    await expect(bed.deploy()).rejects.toMatchObject({ code: "object-in-the-way" });
    expect(bed.bucket.text(CONTENT)).toBe("other's");
    await bed.deploy(SITE, { overwrite: true });
    expect(bed.texts()).toEqual(expectedTexts(SITE));
  });

  it.each(["Content-Type", "Cache-Control"])(
    "with the same bytes and another %s is uploaded again",
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

  it("with the same bytes and headers is not uploaded again", async () => {
    await bed.deploy();
    bed.bucket.objects.delete(MANIFEST);
    const count = bed.bucket.changes.length;
    await bed.deploy();
    expect(bed.changesSince(count)).toEqual([]);
    expect(Object.keys(bed.manifest().objects)).toHaveLength(6);
  });
});

describe("L6a: a deploy that fails", () => {
  /** Makes each write to matching keys fail. */
  function failAt(pattern: RegExp, when: "before" | "after" = "before"): void {
    bed.bucket[when] = ({ name, keys }) => {
      if (/put|delete/.test(name) && pattern.test(keys.join())) throw new Error("cut");
    };
  }

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

  it("does not remove another program's object at a key that it may have written", async () => {
    await bed.deploy();
    failAt(/hello/, "before");
    await expect(bed.deploy(MOVED)).rejects.toThrow("cut");
    failAt(/never/);
    bed.bucket.put(`${PROJECT}/experiences/hello/content`, "someone's");
    await bed.deploy(changed());
    expect(bed.texts()).toEqual({
      ...expectedTexts(changed()),
      [`${PROJECT}/experiences/hello/content`]: "someone's",
    });
  });

  it("at an aborted signal ends with its reason, and writes no other document", async () => {
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    bed.bucket.after = ({ keys }) => keys[0] === ASSET && stop.abort(reason);
    await expect(bed.deploy(SITE, { signal: stop.signal })).rejects.toBe(reason);
    expect(bed.bucket.text(CONTENT)).toBeUndefined();
    expect(bed.manifest().deploy).toBeUndefined();
  });

  it("that cannot say so is completed by the next one with --force, and invalidates what it wrote", async () => {
    const cdn = await startCloudFront();
    useEnv(cdn.env);
    await bed.deploy();
    // Killed at its last write: no further request is sent.
    let isKilled = false;
    bed.bucket.before = ({ name, keys }) => {
      const isLast =
        name === "put" && keys[0] === MANIFEST && bed.bucket.text(PROJECT) !== "config";
      isKilled ||= isLast;
      if (isKilled) throw new Error("killed");
    };
    await expect(bed.deploy(MOVED)).rejects.toThrow("killed");
    bed.bucket.before = () => {};
    await expect(bed.deploy(MOVED)).rejects.toMatchObject({ code: "deploy-running" });
    const { distribution } = cdn;
    const { objects, invalidations } = await bed.deploy(MOVED, { distribution, force: true });
    expect(objects).toEqual({ uploaded: 0, unchanged: 6, removed: 0 });
    expect(invalidations).toMatchObject([{ paths: 4 }]);
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  });

  it("L5: at its end: the next one names the version, also where another workspace's was between", async () => {
    const blog = { v: projectTexts("blog") };
    bed.bucket.before = ({ name, keys }) => {
      const isBegun = bed.bucket.text("api/v1/projects/blog") !== undefined;
      if (name === "put" && keys[0] === MANIFEST && isBegun) throw new Error("killed");
    };
    await expect(bed.deploy(blog)).rejects.toThrow("killed");
    bed.bucket.before = () => {};
    await bed.deploy(SITE, { force: true });
    expect(bed.manifest().workspaces).not.toHaveProperty("v");
    expect((await bed.deploy(blog)).objects).toMatchObject({ uploaded: 0, removed: 0 });
    expect(bed.manifest().workspaces).toHaveProperty("v");
  });
});

describe("L7: an invalidation", () => {
  async function withCdn() {
    const cdn = await startCloudFront();
    useEnv(cdn.env);
    return cdn;
  }

  it("is one request with the changed paths, and none without changes", async () => {
    const cdn = await withCdn();
    const { distribution } = cdn;
    await bed.deploy(SITE, { distribution });
    const { invalidations } = await bed.deploy(MOVED, { distribution });
    expect(invalidations).toEqual([{ distribution, id: "I2", paths: 4 }]);
    expect(cdn.invalidations[1]?.paths).toEqual(
      [PROJECT, `${PROJECT}/experiences/hello/content`, CONTENT, `${PROJECT}/schema`].map(
        (key) => `/${key}`,
      ),
    );
    expect((await bed.deploy(MOVED, { distribution })).invalidations).toEqual([]);
    expect(cdn.invalidations).toHaveLength(2);
  });

  it("that is refused is recorded, and requested once more by the next deploy", async () => {
    const cdn = await withCdn();
    const { distribution } = cdn;
    cdn.faults.push({ status: 400, name: "TooManyInvalidationsInProgress" });
    await expect(bed.deploy(SITE, { distribution })).rejects.toMatchObject({
      code: "invalidation-pending",
    });
    expect(bed.texts()).toEqual(expectedTexts(SITE));
    expect(bed.manifest().invalidations).toMatchObject([{ distribution }]);
    const without = await bed.deploy();
    expect(without).toMatchObject({ invalidations: [] });
    expect(without.text).toContain(`--distribution ${distribution} repeats it`);
    const again = await bed.deploy(SITE, { distribution });
    expect(again.invalidations).toMatchObject([{ distribution, paths: 6 }]);
    expect((await bed.deploy(SITE, { distribution })).invalidations).toEqual([]);
    expect(cdn.invalidations).toHaveLength(1);
  });

  it("that is refused stays recorded when another one is accepted", async () => {
    const cdn = await withCdn();
    const { distribution } = cdn;
    const refusal = { status: 400, name: "TooManyInvalidationsInProgress" } as const;
    const pending = { code: "invalidation-pending" };
    cdn.faults.push(refusal);
    await expect(bed.deploy(SITE, { distribution })).rejects.toMatchObject(pending);
    // The recorded one is accepted, the new one is not.
    cdn.faults.push("none", refusal);
    await expect(bed.deploy(MOVED, { distribution })).rejects.toMatchObject(pending);
    const [accepted, ...others] = cdn.invalidations;
    expect(others).toEqual([]);
    const [recorded, ...more] = bed.manifest().invalidations ?? [];
    expect(more).toEqual([]);
    expect(recorded?.reference).not.toBe(accepted?.reference);
    const again = await bed.deploy(MOVED, { distribution });
    expect(again.invalidations).toMatchObject([{ distribution, paths: 4 }]);
    expect(cdn.invalidations[1]).toMatchObject({ reference: recorded?.reference });
  });

  it("of a missing distribution is reported, and not requested again", async () => {
    await withCdn();
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
