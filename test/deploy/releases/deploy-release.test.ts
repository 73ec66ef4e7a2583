import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { planRelease, uploadReleases } from "../../../src/deploy/releases/deploy-release.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { projectTexts, sha256, siteTexts, writtenFolder } from "../published-texts.ts";
import { ASSET, CONTENT, INDEX, MemoryReleaseBed } from "./memory-release-bed.ts";

let bed: MemoryReleaseBed;
beforeEach(() => {
  bed = new MemoryReleaseBed();
});

const SITE = { w: siteTexts() };
const CHANGED = { w: siteTexts({ [CONTENT]: "changed" }) };

/** The name of the release that a deploy would create. */
async function releaseName(workspaces = SITE): Promise<string> {
  return (await bed.plan(workspaces)).releases[0]?.name ?? "";
}

function expectComplete(release: string, texts = SITE.w): void {
  for (const [path, text] of Object.entries(texts)) {
    const key = path.startsWith("assets/") ? path : `r/${release}/${path}`;
    expect(bed.bucket.text(key), key).toBe(text);
  }
  expect(bed.bucket.keys(`r/${release}/`)).toHaveLength(
    Object.keys(texts).filter((path) => !path.startsWith("assets/")).length + 1,
  );
}

describe("L1: a deploy as a release", () => {
  it("uploads one folder, its manifest last, and then updates the project's pointer", async () => {
    let uploaded = 0;
    bed.kvs.before = (operation) => {
      if (operation === "update") uploaded = bed.bucket.changes.length;
    };
    const { releases } = await bed.deploy(SITE);
    const release = releases[0]?.name ?? "";
    expectComplete(release);
    expect(bed.live("site")).toBe(release);
    expect(bed.bucket.changes.at(-1)).toBe(`put r/${release}/manifest.json`);
    expect(uploaded).toBe(bed.bucket.changes.length);
    const manifest = bed.bucket.text(`r/${release}/manifest.json`) ?? "";
    expect(release.slice(-12)).toBe(sha256(manifest).slice(0, 12));
  });

  it("stores documents and assets as immutable, and the CDN's error documents as not cacheable", async () => {
    await bed.deploy(SITE);
    const { objects } = bed.places;
    const immutable = "public, max-age=31536000, immutable";
    expect(await objects.head(`r/${bed.live("site")}/${INDEX}`)).toMatchObject({
      contentType: "application/json; charset=utf-8",
      cacheControl: immutable,
    });
    expect(await objects.head(ASSET)).toMatchObject({
      contentType: "image/png",
      cacheControl: immutable,
    });
    for (const key of ["404.json", "503.json"]) {
      expect(await objects.head(key)).toMatchObject({
        contentType: "application/problem+json",
        cacheControl: "no-store",
      });
    }
  });

  it("replaces an error document of an earlier svc, but not another program's object", async () => {
    const { objects } = bed.places;
    await objects.put("404.json", bodyOf("earlier"), { "Content-Type": "text/plain" });
    await bed.deploy(SITE);
    expect(bed.bucket.text("404.json")).toContain("not-found");
    bed.bucket.put("503.json", "someone's");
    const { writes } = bed;
    await expect(bed.deploy(CHANGED)).rejects.toMatchObject({ code: "object-in-the-way" });
    expect(bed.writes).toBe(writes);
  });

  it("sends a file of more than 8 MiB as a stream", async () => {
    const texts = siteTexts({ [ASSET]: "x".repeat(2 ** 23 + 1) });
    await bed.deploy({ w: texts });
    expectComplete(bed.live("site") ?? "", texts);
  });

  it("is refused in a bucket that is deployed to in place", async () => {
    bed.bucket.put(".svc-deploy.json", "{}");
    await expect(bed.deploy(SITE)).rejects.toMatchObject({ code: "target-in-place" });
    expect(bed.writes).toBe(1);
  });

  it("is refused for a project that is live from another workspace", async () => {
    bed.kvs.write("p:site", `other/${"e".repeat(32)}-0123456789ab`);
    await expect(bed.deploy(SITE)).rejects.toMatchObject({
      code: "project-of-another-workspace",
    });
    expect(bed.writes).toBe(0);
  });

  it.each([
    ["changed", (file: string) => writeFileSync(file, "CONTENT")],
    ["gone", (file: string) => rmSync(file)],
  ])("is refused when a file has %s since it was published", async (_what, change) => {
    const published = writtenFolder(SITE);
    const plan = await planRelease(published, ["w"], bed.places, bed.work);
    change(join(published.folder, CONTENT));
    const code = "file-changed";
    const { objects } = bed.places;
    await expect(uploadReleases(published, plan, objects, bed.work)).rejects.toMatchObject({
      code,
    });
    await expect(planRelease(published, ["w"], bed.places, bed.work)).rejects.toMatchObject({
      code,
    });
    expect(bed.bucket.keys("r/").filter((key) => key.endsWith("manifest.json"))).toEqual([]);
  });

  it("stops at an aborted signal with its reason, and the earlier release stays live", async () => {
    await bed.deploy(SITE);
    const before = bed.kvs.values;
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    bed.bucket.after = ({ name }) => name === "put" && stop.abort(reason);
    const changes = bed.bucket.changes.length;
    const work = { ...bed.work, concurrency: 1, signal: stop.signal };
    await expect(bed.deploy({ w: siteTexts({ [CONTENT]: "x", [INDEX]: "y" }) }, work)).rejects.toBe(
      reason,
    );
    expect(bed.bucket.changes.length - changes).toBe(1);
    expect(bed.kvs.values).toBe(before);
  });
});

describe("L2: several projects and workspaces", () => {
  it("of two workspaces become live in one update, and share their assets", async () => {
    const picture = siteTexts()[ASSET] ?? "";
    await bed.deploy({ v: { ...projectTexts("blog"), [ASSET]: picture }, w: siteTexts() });
    expect(bed.kvs.updates).toHaveLength(1);
    expect(bed.live("blog")).toMatch(/^v\//);
    expect(bed.live("site")).toMatch(/^w\//);
    expect(bed.bucket.changes.filter((change) => change === `put ${ASSET}`)).toHaveLength(1);
  });

  const MANY = Array.from({ length: 60 }, (_, n) => `project-${String(n).padStart(3, "0")}`);
  const many = (text: string) => ({
    w: Object.assign({}, ...MANY.map((id) => projectTexts(id, text))),
  });
  const liveReleases = () => new Set(MANY.map((id) => bed.live(id)));

  it("more than 49 become live in several updates of at most 50 keys, with the log in the first", async () => {
    const { releases } = await bed.deploy(many("one"));
    expect(liveReleases()).toEqual(new Set([releases[0]?.name]));
    expect(bed.kvs.updates.map(({ puts }) => puts?.size)).toEqual([50, 11]);
    expect(bed.kvs.updates[0]?.puts?.has("l:w")).toBe(true);
  });

  it.each([1, 2])("a failed update (number %i) is made by the next deploy", async (number) => {
    await bed.deploy(many("one"));
    let updates = 0;
    bed.kvs.before = (operation) => {
      if (operation === "update" && ++updates === number) throw new Error("cut");
    };
    await expect(bed.deploy(many("two"))).rejects.toThrow("cut");
    expect(liveReleases().size).toBe(number === 1 ? 1 : 2);
    const { releases } = await bed.deploy(many("two"));
    expect(liveReleases()).toEqual(new Set([releases[0]?.name]));
  });

  it.each([1, 2])(
    "updates with %i lost responses in a row are recognised as done",
    async (lost) => {
      bed.kvs.lostResponses = lost;
      const { releases } = await bed.deploy(many("one"));
      expect(liveReleases()).toEqual(new Set([releases[0]?.name]));
      expect(bed.kvs.updates).toHaveLength(2);
    },
  );
});

describe("L1: an existing object of a release", () => {
  /** The tags of a store that encrypts are not MD5 hashes. */
  const encrypting = (bytes: Buffer) => `encrypted-${sha256(bytes.toString()).slice(0, 20)}`;

  it("is uploaded again when it was removed from the live release", async () => {
    await bed.deploy(SITE);
    const release = bed.live("site") ?? "";
    for (const path of [INDEX, "manifest.json"]) {
      bed.bucket.objects.delete(`r/${release}/${path}`);
      const changes = bed.bucket.changes.length;
      await bed.deploy(SITE);
      expect(bed.bucket.changes.slice(changes)).toEqual([`put r/${release}/${path}`]);
    }
  });

  it.each([
    ["of another program", false],
    ["of svc", true],
  ])("is refused with other bytes of the same size (%s)", async (_writer, isOwn) => {
    const key = `r/${await releaseName()}/${INDEX}`;
    for (const tagOf of [bed.bucket.tagOf, encrypting]) {
      bed.bucket.tagOf = tagOf;
      const other = bodyOf("CONFIG");
      if (isOwn) await bed.places.objects.put(key, other, {});
      else bed.bucket.put(key, "CONFIG");
      const { writes } = bed;
      await expect(bed.deploy(SITE)).rejects.toMatchObject({
        code: "release-differs",
        problems: { kind: "objects", list: [{ key, reason: "different" }] },
      });
      expect(bed.writes).toBe(writes);
    }
  });

  it("is compared by its SHA-256 where tags are not MD5 hashes", async () => {
    bed.bucket.tagOf = encrypting;
    await bed.deploy(SITE);
    const { writes } = bed;
    await bed.deploy(SITE);
    expect(bed.writes).toBe(writes);
  });

  it("is refused when the release does not have it", async () => {
    await bed.deploy(SITE);
    const key = `r/${bed.live("site")}/stray.json`;
    bed.bucket.put(key, "{}");
    await expect(bed.deploy(SITE)).rejects.toMatchObject({
      code: "release-differs",
      problems: { kind: "objects", list: [{ key, reason: "unexpected" }] },
    });
  });

  it.each([
    ["other bytes are refused", "CONFIG", "release-differs"],
    ["the same bytes are accepted", "config", undefined],
  ])("that was written between plan and upload: %s", async (_what, text, code) => {
    const key = `r/${await releaseName()}/${INDEX}`;
    bed.bucket.before = ({ name, keys }) => {
      if (name === "put" && keys[0] === key) bed.bucket.put(key, text);
    };
    const deployed = bed.deploy(SITE);
    if (code === undefined) await deployed;
    else await expect(deployed).rejects.toMatchObject({ code });
    expect(bed.live("site") !== undefined).toBe(code === undefined);
    expect(bed.bucket.text(key)).toBe(text);
    const manifest = key.replace(INDEX, "manifest.json");
    expect(bed.bucket.objects.has(manifest)).toBe(code === undefined);
  });

  it.each([INDEX, ASSET, "manifest.json"])(
    "is listed after the upload: nothing becomes live when %s was removed concurrently",
    async (path) => {
      const release = await releaseName();
      bed.bucket.after = ({ name, keys }) => {
        if (name !== "put" || !keys[0]?.endsWith("/manifest.json")) return;
        bed.bucket.objects.delete(path === ASSET ? path : `r/${release}/${path}`);
      };
      await expect(bed.deploy(SITE)).rejects.toMatchObject({ code: "release-incomplete" });
      expect(bed.live("site")).toBeUndefined();
    },
  );
});

describe("L2: the pointer update", () => {
  const OTHER = `w/${"e".repeat(32)}-0123456789ab`;

  /** Runs before the next operation of this kind. */
  function once(operation: "read" | "update", act: () => void): void {
    bed.kvs.before = (name) => {
      if (name !== operation) return;
      bed.kvs.before = () => {};
      act();
    };
  }

  it("is refused after a concurrent update of the same pointer", async () => {
    await bed.deploy(SITE);
    once("update", () => bed.kvs.write("p:site", OTHER));
    await expect(bed.deploy(CHANGED)).rejects.toMatchObject({
      code: "deployed-meanwhile",
      message: expect.stringContaining(OTHER),
    });
    expect(bed.live("site")).toBe(OTHER);
  });

  it("is repeated when only other keys have changed concurrently", async () => {
    let writes = 0;
    bed.kvs.before = (operation) => {
      if (operation === "update" && writes < 5) bed.kvs.write(`t:${++writes}:other`, "never");
    };
    const { releases } = await bed.deploy(SITE);
    expect(bed.live("site")).toBe(releases[0]?.name);
    expect(bed.kvs.values.get("t:5:other")).toBe("never");
  });

  it("fails when other keys change before every attempt", async () => {
    let writes = 0;
    bed.kvs.before = (operation) => {
      if (operation === "update") bed.kvs.write(`t:${++writes}:other`, "never");
    };
    await expect(bed.deploy(SITE)).rejects.toMatchObject({ code: "kvs-busy" });
    expect(bed.live("site")).toBeUndefined();
  });

  it.each([
    ["p:site", OTHER],
    ["l:w", "[]"],
  ])("is read back: an update of %s right after it is reported", async (key, value) => {
    await bed.deploy(SITE);
    once("update", () => once("read", () => bed.kvs.write(key, value)));
    await expect(bed.deploy(CHANGED)).rejects.toMatchObject({ code: "deployed-meanwhile" });
  });

  it("is read back for an unchanged pointer too", async () => {
    await bed.deploy(SITE);
    let reads = 0;
    bed.kvs.before = (operation) => {
      if (operation === "read" && ++reads === 2) bed.kvs.write("p:site", OTHER);
    };
    await expect(bed.deploy(SITE)).rejects.toMatchObject({ code: "deployed-meanwhile" });
  });
});
