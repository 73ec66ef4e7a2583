import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { uploadReleases } from "../../../src/deploy/releases/deploy-release.ts";
import { planRelease } from "../../../src/deploy/releases/plan-release.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { projectTexts, sha256, siteTexts, writtenFolder } from "../published-texts.ts";
import { ASSET, CONTENT, INDEX, ReleaseWorld } from "./release-world.ts";

let world: ReleaseWorld;
beforeEach(() => {
  world = new ReleaseWorld();
});

const SITE = { w: siteTexts() };
const CHANGED = { w: siteTexts({ [CONTENT]: "changed" }) };

/** The name of the only release that a deploy would make. */
async function releaseName(workspaces = SITE): Promise<string> {
  return (await world.plan(workspaces)).releases[0]?.name ?? "";
}

function expectWhole(release: string, texts = SITE.w): void {
  for (const [path, text] of Object.entries(texts)) {
    const key = path.startsWith("assets/") ? path : `r/${release}/${path}`;
    expect(world.bucket.text(key), key).toBe(text);
  }
  expect(world.bucket.keys(`r/${release}/`)).toHaveLength(
    Object.keys(texts).filter((path) => !path.startsWith("assets/")).length + 1,
  );
}

describe("a deploy as a release", () => {
  it("uploads one folder, its manifest last, and then points the project to it", async () => {
    let uploaded = 0;
    world.kvs.before = (operation) => {
      if (operation === "update") uploaded = world.bucket.changes.length;
    };
    const { releases } = await world.deploy(SITE);
    const release = releases[0]?.name ?? "";
    expectWhole(release);
    expect(world.live("site")).toBe(release);
    expect(world.bucket.changes.at(-1)).toBe(`put r/${release}/manifest.json`);
    expect(uploaded).toBe(world.bucket.changes.length);
    const manifest = world.bucket.text(`r/${release}/manifest.json`) ?? "";
    expect(release.slice(-12)).toBe(sha256(manifest).slice(0, 12));
  });

  it("stores documents and assets for ever, and the error documents of the CDN uncached", async () => {
    await world.deploy(SITE);
    const { objects } = world.places;
    const forEver = "public, max-age=31536000, immutable";
    expect(await objects.head(`r/${world.live("site")}/${INDEX}`)).toMatchObject({
      contentType: "application/json; charset=utf-8",
      cacheControl: forEver,
    });
    expect(await objects.head(ASSET)).toMatchObject({
      contentType: "image/png",
      cacheControl: forEver,
    });
    for (const key of ["404.json", "503.json"]) {
      expect(await objects.head(key)).toMatchObject({
        contentType: "application/problem+json",
        cacheControl: "no-store",
      });
    }
  });

  it("writes nothing when nothing changed", async () => {
    await world.deploy(SITE);
    const { writes } = world;
    const { uploads, pointerUpdate } = await world.deploy(SITE);
    expect(uploads).toMatchObject([{ uploads: [], present: 4, hasManifest: true }]);
    expect(pointerUpdate).toEqual([]);
    expect(world.writes).toBe(writes);
  });

  it("leaves the earlier release as it is, and uploads a shared asset once", async () => {
    await world.deploy(SITE);
    const earlier = world.live("site") ?? "";
    const { uploads } = await world.deploy(CHANGED);
    expect(uploads[0]?.uploads).not.toContain(ASSET);
    expectWhole(earlier);
    expectWhole(world.live("site") ?? "", CHANGED.w);
  });

  it("replaces an error document of an earlier program, and no other object", async () => {
    const { objects } = world.places;
    await objects.put("404.json", bodyOf("earlier"), { "Content-Type": "text/plain" });
    await world.deploy(SITE);
    expect(world.bucket.text("404.json")).toContain("not-found");
    world.bucket.put("503.json", "someone's");
    const { writes } = world;
    await expect(world.deploy(CHANGED)).rejects.toMatchObject({ code: "object-in-the-way" });
    expect(world.writes).toBe(writes);
  });

  it("sends a file of more than 8 MiB as a stream", async () => {
    const texts = siteTexts({ [ASSET]: "x".repeat(2 ** 23 + 1) });
    await world.deploy({ w: texts });
    expectWhole(world.live("site") ?? "", texts);
  });

  it("is refused in a bucket that is deployed to in place", async () => {
    world.bucket.put(".svc-deploy.json", "{}");
    await expect(world.deploy(SITE)).rejects.toMatchObject({ code: "target-in-place" });
    expect(world.writes).toBe(1);
  });

  it("is refused for a project that is live from another workspace", async () => {
    world.kvs.write("p:site", `other/${"e".repeat(32)}-0123456789ab`);
    await expect(world.deploy(SITE)).rejects.toMatchObject({
      code: "project-of-another-workspace",
    });
    expect(world.writes).toBe(0);
  });

  it.each([
    ["changed", (file: string) => writeFileSync(file, "CONTENT")],
    ["gone", (file: string) => rmSync(file)],
  ])("is refused when a file has %s since it was published", async (_what, change) => {
    const published = writtenFolder(SITE);
    const plan = await planRelease(published, ["w"], world.places, world.work);
    change(join(published.folder, CONTENT));
    const code = "file-changed";
    const { objects } = world.places;
    await expect(uploadReleases(published, plan, objects, world.work)).rejects.toMatchObject({
      code,
    });
    await expect(planRelease(published, ["w"], world.places, world.work)).rejects.toMatchObject({
      code,
    });
    expect(world.bucket.keys("r/").filter((key) => key.endsWith("manifest.json"))).toEqual([]);
  });

  it("ends at an aborted signal with its reason, and what was live stays live", async () => {
    await world.deploy(SITE);
    const before = world.kvs.values;
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    world.bucket.after = ({ name }) => name === "put" && stop.abort(reason);
    const changes = world.bucket.changes.length;
    const work = { ...world.work, concurrency: 1, signal: stop.signal };
    await expect(
      world.deploy({ w: siteTexts({ [CONTENT]: "x", [INDEX]: "y" }) }, work),
    ).rejects.toBe(reason);
    expect(world.bucket.changes.length - changes).toBe(1);
    expect(world.kvs.values).toBe(before);
  });
});

describe("several projects and workspaces", () => {
  const TWO = { w: siteTexts(projectTexts("shop")) };

  it("become live together, in one update", async () => {
    await world.deploy(TWO);
    expect(world.live("shop")).toBe(world.live("site"));
    expect(world.kvs.updates).toHaveLength(1);
  });

  it("of two workspaces become live in one update, and share their assets", async () => {
    const picture = siteTexts()[ASSET] ?? "";
    await world.deploy({ v: { ...projectTexts("blog"), [ASSET]: picture }, w: siteTexts() });
    expect(world.kvs.updates).toHaveLength(1);
    expect(world.live("blog")).toMatch(/^v\//);
    expect(world.live("site")).toMatch(/^w\//);
    expect(world.bucket.changes.filter((change) => change === `put ${ASSET}`)).toHaveLength(1);
  });

  it("that are published no more are taken off; those of other workspaces stay", async () => {
    await world.deploy(TWO);
    await world.deploy({ v: projectTexts("blog") });
    const { pointerUpdate } = await world.deploy(SITE);
    expect(pointerUpdate).toContainEqual(
      expect.objectContaining({ key: "p:shop", after: undefined }),
    );
    expect(world.live("shop")).toBeUndefined();
    expect(world.live("blog")).toMatch(/^v\//);
  });

  const MANY = Array.from({ length: 60 }, (_, n) => `project-${String(n).padStart(3, "0")}`);
  const many = (text: string) => ({
    w: Object.assign({}, ...MANY.map((id) => projectTexts(id, text))),
  });
  const livesOfMany = () => new Set(MANY.map((id) => world.live(id)));

  it("more than 49 become live in several updates of at most 50 keys, the log in the first", async () => {
    const { releases } = await world.deploy(many("one"));
    expect(livesOfMany()).toEqual(new Set([releases[0]?.name]));
    expect(world.kvs.updates.map(({ puts }) => puts?.size)).toEqual([50, 11]);
    expect(world.kvs.updates[0]?.puts?.has("l:w")).toBe(true);
  });

  it.each([1, 2])("an update that fails (number %i) is made by the next deploy", async (number) => {
    await world.deploy(many("one"));
    let updates = 0;
    world.kvs.before = (operation) => {
      if (operation === "update" && ++updates === number) throw new Error("cut");
    };
    await expect(world.deploy(many("two"))).rejects.toThrow("cut");
    expect(livesOfMany().size).toBe(number === 1 ? 1 : 2);
    const { releases } = await world.deploy(many("two"));
    expect(livesOfMany()).toEqual(new Set([releases[0]?.name]));
  });

  it.each([1, 2])("%i lost answers in a row are found to be done", async (lost) => {
    world.kvs.lostAnswers = lost;
    const { releases } = await world.deploy(many("one"));
    expect(livesOfMany()).toEqual(new Set([releases[0]?.name]));
    expect(world.kvs.updates).toHaveLength(2);
  });
});

describe("what a bucket has of a release", () => {
  /** A store that encrypts has tags that are no MD5. */
  const encrypting = (bytes: Buffer) => `encrypted-${sha256(bytes.toString()).slice(0, 20)}`;

  it("is not uploaded again after a deploy that was cut off", async () => {
    world.bucket.before = ({ name, keys }) => {
      if (name === "put" && keys[0]?.endsWith("/schema.json")) throw new Error("cut");
    };
    await expect(world.deploy(SITE)).rejects.toThrow("cut");
    expect(world.live("site")).toBeUndefined();
    world.bucket.before = () => {};
    const { uploads } = await world.deploy(SITE);
    expect(uploads[0]?.present).toBeGreaterThan(0);
    expect(uploads[0]).toMatchObject({ hasManifest: false });
    expectWhole(world.live("site") ?? "");
  });

  it("is completed when an object of the live release was removed, or its manifest", async () => {
    await world.deploy(SITE);
    const release = world.live("site") ?? "";
    for (const path of [INDEX, "manifest.json"]) {
      world.bucket.objects.delete(`r/${release}/${path}`);
      const changes = world.bucket.changes.length;
      await world.deploy(SITE);
      expect(world.bucket.changes.slice(changes)).toEqual([`put r/${release}/${path}`]);
    }
  });

  it.each([
    ["someone's", false],
    ["svc's own", true],
  ])("is refused with other bytes of the same size (%s)", async (_whose, isOwn) => {
    const key = `r/${await releaseName()}/${INDEX}`;
    for (const tagOf of [world.bucket.tagOf, encrypting]) {
      world.bucket.tagOf = tagOf;
      const other = bodyOf("CONFIG");
      if (isOwn) await world.places.objects.put(key, other, {});
      else world.bucket.put(key, "CONFIG");
      const { writes } = world;
      await expect(world.deploy(SITE)).rejects.toMatchObject({
        code: "release-differs",
        problems: [{ key, reason: "different" }],
      });
      expect(world.writes).toBe(writes);
    }
  });

  it("is compared by its SHA-256 where tags are no MD5", async () => {
    world.bucket.tagOf = encrypting;
    await world.deploy(SITE);
    const { writes } = world;
    await world.deploy(SITE);
    expect(world.writes).toBe(writes);
  });

  it("is refused with an object that the release does not have", async () => {
    await world.deploy(SITE);
    const key = `r/${world.live("site")}/stray.json`;
    world.bucket.put(key, "{}");
    await expect(world.deploy(SITE)).rejects.toMatchObject({
      code: "release-differs",
      problems: [{ key, reason: "unexpected" }],
    });
  });

  it.each([
    ["other bytes are refused", "CONFIG", "release-differs"],
    ["the same bytes are taken", "config", undefined],
  ])("when it came between plan and upload: %s", async (_what, text, code) => {
    const key = `r/${await releaseName()}/${INDEX}`;
    world.bucket.before = ({ name, keys }) => {
      if (name === "put" && keys[0] === key) world.bucket.put(key, text);
    };
    const deployed = world.deploy(SITE);
    if (code === undefined) await deployed;
    else await expect(deployed).rejects.toMatchObject({ code });
    expect(world.live("site") !== undefined).toBe(code === undefined);
    expect(world.bucket.text(key)).toBe(text);
    const manifest = key.replace(INDEX, "manifest.json");
    expect(world.bucket.objects.has(manifest)).toBe(code === undefined);
  });

  it.each([INDEX, ASSET, "manifest.json"])(
    "is listed after the upload: nothing becomes live when %s was removed meanwhile",
    async (path) => {
      const release = await releaseName();
      world.bucket.after = ({ name, keys }) => {
        if (name !== "put" || !keys[0]?.endsWith("/manifest.json")) return;
        world.bucket.objects.delete(path === ASSET ? path : `r/${release}/${path}`);
      };
      await expect(world.deploy(SITE)).rejects.toMatchObject({ code: "release-incomplete" });
      expect(world.live("site")).toBeUndefined();
    },
  );
});

describe("the switch", () => {
  const OTHER = `w/${"e".repeat(32)}-0123456789ab`;

  /** Runs once, at the first operation of this kind. */
  function once(operation: "read" | "update", act: () => void): void {
    world.kvs.before = (asked) => {
      if (asked !== operation) return;
      world.kvs.before = () => {};
      act();
    };
  }

  it("is refused when someone else has switched meanwhile", async () => {
    await world.deploy(SITE);
    once("update", () => world.kvs.write("p:site", OTHER));
    await expect(world.deploy(CHANGED)).rejects.toMatchObject({
      code: "deployed-meanwhile",
      message: expect.stringContaining(OTHER),
    });
    expect(world.live("site")).toBe(OTHER);
  });

  it("goes on when only other keys have changed meanwhile", async () => {
    let writes = 0;
    world.kvs.before = (operation) => {
      if (operation === "update" && writes < 5) world.kvs.write(`t:${++writes}:other`, "never");
    };
    const { releases } = await world.deploy(SITE);
    expect(world.live("site")).toBe(releases[0]?.name);
    expect(world.kvs.values.get("t:5:other")).toBe("never");
  });

  it("ends when other keys change each time", async () => {
    let writes = 0;
    world.kvs.before = (operation) => {
      if (operation === "update") world.kvs.write(`t:${++writes}:other`, "never");
    };
    await expect(world.deploy(SITE)).rejects.toMatchObject({ code: "kvs-busy" });
    expect(world.live("site")).toBeUndefined();
  });

  it.each([
    ["p:site", OTHER],
    ["l:w", "[]"],
  ])("is read back: another that wrote %s right after it is reported", async (key, value) => {
    await world.deploy(SITE);
    once("update", () => once("read", () => world.kvs.write(key, value)));
    await expect(world.deploy(CHANGED)).rejects.toMatchObject({ code: "deployed-meanwhile" });
  });

  it("is read back, too, for a pointer that needed no change", async () => {
    await world.deploy(SITE);
    let reads = 0;
    world.kvs.before = (operation) => {
      if (operation === "read" && ++reads === 2) world.kvs.write("p:site", OTHER);
    };
    await expect(world.deploy(SITE)).rejects.toMatchObject({ code: "deployed-meanwhile" });
  });

  it("is followed by a look at the release: a prune may have removed some of it", async () => {
    await world.deploy(SITE);
    const release = await releaseName(CHANGED);
    once("update", () => world.bucket.objects.delete(`r/${release}/${CONTENT}`));
    await expect(world.deploy(CHANGED)).rejects.toMatchObject({ code: "release-incomplete" });
    await world.deploy(CHANGED);
    expectWhole(world.live("site") ?? "", CHANGED.w);
  });

  it("by two deploys at once is made by one of them, or by one after the other", async () => {
    for (let round = 0; round < 8; round += 1) {
      const versions = [0, 1].map((n) => ({ w: siteTexts({ [CONTENT]: `${round} ${n}` }) }));
      const ran = await Promise.allSettled(versions.map((version) => world.deploy(version)));
      const done = ran.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      expect(done.length).toBeGreaterThan(0);
      const names = done.map(({ releases }) => releases[0]?.name);
      expect(names).toContain(world.live("site"));
      for (const one of ran) {
        if (one.status === "rejected") expect(one.reason.code).toBe("deployed-meanwhile");
      }
    }
  });
});
