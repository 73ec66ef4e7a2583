import { beforeEach, describe, expect, it, vi } from "vitest";
import { startCloudFront } from "../../support/deploy/cloudfront-stand-in.ts";
import { fakeClock, passing } from "../../support/deploy/fake-clock.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { projectTexts, siteTexts } from "../published-texts.ts";
import {
  ASSET,
  CONTENT,
  expectedTexts,
  InPlaceWorld,
  MANIFEST,
  MOVED,
  PROJECT,
  SITE,
} from "./in-place-world.ts";

let world: InPlaceWorld;
beforeEach(() => {
  world = new InPlaceWorld();
});

const changed = (text = "changed") => ({ w: siteTexts({ [`${CONTENT}.json`]: text }) });

describe("a deploy in place", () => {
  it("H2: puts every document at the API's own address, with its headers", async () => {
    const { objects } = await world.deploy();
    expect(objects).toEqual({ uploaded: 6, unchanged: 0, removed: 0 });
    expect(world.texts()).toEqual(expectedTexts(SITE));
    const store = world.bucket.open();
    expect(await store.head(CONTENT)).toMatchObject({
      contentType: "application/json; charset=utf-8",
      cacheControl: "public, max-age=30, stale-while-revalidate=3600, stale-if-error=36000",
    });
    for (const key of ["404.json", "503.json"]) {
      expect(await store.head(key)).toMatchObject({
        contentType: "application/problem+json",
        cacheControl: "no-store",
      });
    }
  });

  it("writes nothing when nothing changed", async () => {
    await world.deploy();
    const { changes } = world.bucket;
    const count = changes.length;
    const { objects } = await world.deploy();
    expect(objects).toEqual({ uploaded: 0, unchanged: 6, removed: 0 });
    expect(changes).toHaveLength(count);
  });

  it("F3: uploads only what changed: contents, schemas, configs, and then removes", async () => {
    await world.deploy();
    const count = world.bucket.changes.length;
    const { objects } = await world.deploy(MOVED);
    expect(objects).toEqual({ uploaded: 3, unchanged: 3, removed: 1 });
    expect(world.bucket.changes.slice(count)).toEqual([
      `put ${MANIFEST}`,
      `put ${PROJECT}/experiences/hello/content`,
      `put ${PROJECT}/schema`,
      `put ${PROJECT}`,
      `delete ${CONTENT}`,
      `put ${MANIFEST}`,
    ]);
    expect(world.texts()).toEqual(expectedTexts(MOVED));
  });

  it("goes below a prefix, and leaves what is beside it alone", async () => {
    world.bucket.put(PROJECT, "someone's");
    world.prefix = "a/b/";
    await world.deploy();
    await world.deploy(MOVED);
    expect(world.bucket.text(PROJECT)).toBe("someone's");
    expect(world.bucket.text(`a/b/${PROJECT}`)).toBe("config 2");
    expect(world.bucket.keys("a/b/")).toHaveLength(7);
  });

  it("F3: leaves what belongs to another workspace", async () => {
    await world.deploy({ ...SITE, v: projectTexts("shop") });
    await world.deploy(MOVED);
    expect(world.texts()).toEqual(expectedTexts({ ...MOVED, v: projectTexts("shop") }));
  });

  it("is refused beyond --max-deletes, before anything is changed", async () => {
    await world.deploy();
    const count = world.bucket.changes.length;
    await expect(world.deploy(MOVED, { maxDeletes: 0 })).rejects.toMatchObject({
      code: "too-many-deletes",
    });
    expect(world.bucket.changes).toHaveLength(count);
    expect((await world.deploy(MOVED, { maxDeletes: 1 })).objects.removed).toBe(1);
  });

  it("is refused in a bucket with releases", async () => {
    world.bucket.put("r/w/x/manifest.json", "{}");
    await expect(world.deploy()).rejects.toMatchObject({ code: "target-has-releases" });
    expect(world.bucket.changes).toHaveLength(1);
  });

  it("is refused over a manifest that it cannot read", async () => {
    world.bucket.put(MANIFEST, '{"formatVersion":2}');
    await expect(world.deploy()).rejects.toMatchObject({ code: "deploy-manifest-invalid" });
    expect(world.bucket.changes).toHaveLength(1);
  });

  it("with --dry-run changes nothing, and counts what is unchanged", async () => {
    const first = await world.deploy(SITE, { dryRun: true });
    expect(first.plan).toContainEqual({ action: "upload", what: CONTENT, reason: "new" });
    expect(first.text).toMatch(/\n0 unchanged$/);
    expect(world.bucket.changes).toEqual([]);
    await world.deploy();
    const count = world.bucket.changes.length;
    const { plan, text } = await world.deploy(MOVED, { dryRun: true, distribution: "E1" });
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
    expect((await world.deploy(SITE, { dryRun: true })).text).toMatch(/6 unchanged$/);
    expect(world.bucket.changes).toHaveLength(count);
  });
});

describe("an object that is in the way", () => {
  it("of another program is replaced only with --overwrite", async () => {
    world.bucket.put("404.json", "someone's");
    for (const _again of [1, 2]) {
      await expect(world.deploy()).rejects.toMatchObject({ code: "object-in-the-way" });
      expect(world.bucket.text("404.json")).toBe("someone's");
    }
    await world.deploy(SITE, { overwrite: true });
    expect(world.texts()).toEqual(expectedTexts(SITE));
  });

  it("of another deploy is replaced only with --overwrite", async () => {
    await world.bucket.open().put(CONTENT, bodyOf("other's"), {});
    await expect(world.deploy()).rejects.toMatchObject({ code: "object-in-the-way" });
    expect(world.bucket.text(CONTENT)).toBe("other's");
    await world.deploy(SITE, { overwrite: true });
    expect(world.texts()).toEqual(expectedTexts(SITE));
  });

  it.each(["Content-Type", "Cache-Control"])(
    "with the same bytes is put again where its %s is another",
    async (name) => {
      const store = world.bucket.open();
      await world.deploy();
      const wanted = world.bucket.objects.get(CONTENT)?.headers;
      world.bucket.objects.delete(MANIFEST);
      await store.put(CONTENT, bodyOf("content"), { ...wanted, [name]: "other" });
      await world.deploy();
      expect(world.bucket.objects.get(CONTENT)?.headers).toEqual(wanted);
    },
  );

  it("is left when it already is what is wanted, with its headers", async () => {
    await world.deploy();
    world.bucket.objects.delete(MANIFEST);
    const count = world.bucket.changes.length;
    await world.deploy();
    expect(world.changesSince(count)).toEqual([]);
    expect(Object.keys(world.manifest().objects)).toHaveLength(6);
  });
});

describe("a deploy that fails", () => {
  /** Lets each write to these keys fail. */
  function failAt(pattern: RegExp, when: "before" | "after" = "before"): void {
    world.bucket[when] = ({ name, keys }) => {
      if (/put|delete/.test(name) && pattern.test(keys.join())) throw new Error("cut");
    };
  }

  it("in an upload removes nothing; the next one completes it", async () => {
    await world.deploy();
    failAt(/\/schema$/);
    await expect(world.deploy(MOVED)).rejects.toThrow("cut");
    expect(world.bucket.text(CONTENT)).toBe("content");
    expect(world.manifest().claim).toMatchObject({ isStopped: true });
    failAt(/never/);
    const count = world.bucket.changes.length;
    await world.deploy(MOVED);
    expect(world.changesSince(count)).toEqual([
      `put ${PROJECT}/schema`,
      `put ${PROJECT}`,
      `delete ${CONTENT}`,
    ]);
    expect(world.texts()).toEqual(expectedTexts(MOVED));
    expect(world.manifest().claim).toBeUndefined();
  });

  it("in a removal names the keys; the next one completes it", async () => {
    await world.deploy();
    world.bucket.held.add(CONTENT);
    await expect(world.deploy(MOVED)).rejects.toMatchObject({
      code: "delete-failed",
      problems: [{ key: CONTENT }],
    });
    world.bucket.held.clear();
    await world.deploy(MOVED);
    expect(world.texts()).toEqual(expectedTexts(MOVED));
  });

  it("leaves what another program has put where it may have written", async () => {
    await world.deploy();
    failAt(/hello/, "before");
    await expect(world.deploy(MOVED)).rejects.toThrow("cut");
    failAt(/never/);
    world.bucket.put(`${PROJECT}/experiences/hello/content`, "someone's");
    await world.deploy(changed());
    expect(world.texts()).toEqual({
      ...expectedTexts(changed()),
      [`${PROJECT}/experiences/hello/content`]: "someone's",
    });
  });

  it.each(["before", "after"] as const)(
    "%s any of its writes is completed by the next one, of any version",
    async (when) => {
      // A lease whose answer was lost is that of a deploy which may be alive: it is waited for.
      fakeClock();
      for (const next of [MOVED, SITE, changed()]) {
        for (let write = 1; ; write += 1) {
          world = new InPlaceWorld();
          await world.deploy();
          let writes = 0;
          world.bucket[when] = ({ name }) => {
            if (/put|delete/.test(name) && ++writes === write) throw new Error("cut");
          };
          const cut = await world.deploy(MOVED).catch((error) => error);
          world.bucket[when] = () => {};
          if (writes < write) break;
          expect(cut).toMatchObject({ message: "cut" });
          await passing(world.deploy(next));
          expect(world.texts(), `write ${write}`).toEqual(expectedTexts(next));
          expect(world.manifest()).toMatchObject({ unsure: {} });
          expect(world.manifest().claim).toBeUndefined();
          expect((await world.deploy(next)).objects).toMatchObject({ uploaded: 0, removed: 0 });
        }
      }
    },
  );

  it("at an aborted signal ends with its reason, and begins nothing more", async () => {
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    world.bucket.after = ({ keys }) => keys[0] === ASSET && stop.abort(reason);
    await expect(world.deploy(SITE, { signal: stop.signal })).rejects.toBe(reason);
    expect(world.bucket.text(CONTENT)).toBeUndefined();
    expect(world.manifest().claim).toMatchObject({ isStopped: true });
  });
});

describe("an invalidation", () => {
  async function withCdn() {
    const cdn = await startCloudFront();
    for (const [name, value] of Object.entries(cdn.env)) {
      if (name !== "NODE_OPTIONS") vi.stubEnv(name, value);
    }
    return cdn;
  }

  it("is one, of what changed, and none when nothing changed", async () => {
    const cdn = await withCdn();
    const { distribution } = cdn;
    await world.deploy(SITE, { distribution });
    const { invalidations } = await world.deploy(MOVED, { distribution });
    expect(invalidations).toEqual([{ distribution, id: "I2", paths: 4 }]);
    expect(cdn.invalidations[1]?.paths).toEqual(
      [PROJECT, `${PROJECT}/experiences/hello/content`, CONTENT, `${PROJECT}/schema`].map(
        (key) => `/${key}`,
      ),
    );
    expect((await world.deploy(MOVED, { distribution })).invalidations).toEqual([]);
    expect(cdn.invalidations).toHaveLength(2);
  });

  it("that is refused is remembered, and asked for again, once, by the next deploy", async () => {
    const cdn = await withCdn();
    const { distribution } = cdn;
    cdn.faults.push({ status: 400, name: "TooManyInvalidationsInProgress" });
    await expect(world.deploy(SITE, { distribution })).rejects.toMatchObject({
      code: "invalidation-pending",
    });
    expect(world.texts()).toEqual(expectedTexts(SITE));
    expect(world.manifest().invalidations).toMatchObject([{ distribution }]);
    // Whether or not the distribution is named again.
    expect((await world.deploy()).invalidations).toMatchObject([{ distribution, paths: 6 }]);
    expect((await world.deploy()).invalidations).toEqual([]);
    expect(cdn.invalidations).toHaveLength(1);
  });

  it("of a distribution that is not there is reported, and not asked for again", async () => {
    await withCdn();
    await expect(world.deploy(SITE, { distribution: "E0NONE" })).rejects.toMatchObject({
      code: "invalidation-pending",
    });
    expect(world.manifest().invalidations).toEqual([]);
    expect((await world.deploy()).invalidations).toEqual([]);
  });

  it("that is accepted while another deploy begins is left to that one", async () => {
    const { distribution } = await withCdn();
    world.bucket.before = ({ name, keys }) => {
      // The write that would say that the invalidation was accepted.
      const isLast = name === "put" && keys[0] === MANIFEST && world.manifest().invalidations?.[0];
      if (isLast)
        world.bucket.put(MANIFEST, JSON.stringify({ ...world.manifest(), workspaces: {} }));
    };
    const { invalidations } = await world.deploy(SITE, { distribution });
    expect(invalidations).toMatchObject([{ distribution }]);
    expect(world.manifest().invalidations).toMatchObject([{ distribution }]);
  });
});
