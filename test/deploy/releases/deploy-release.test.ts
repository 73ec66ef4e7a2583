import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  planRelease,
  planRollback,
  uploadReleases,
} from "../../../src/deploy/releases/deploy-release.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { projectTexts, sha256, siteTexts, writtenFolder } from "../published-texts.ts";
import { ASSET, CONTENT, INDEX, MemoryReleaseBed } from "./memory-release-bed.ts";

let bed: MemoryReleaseBed;
beforeEach(() => {
  bed = new MemoryReleaseBed();
});

const SITE = { w: siteTexts() };
const CHANGED = { w: siteTexts({ [CONTENT]: "changed" }) };
const OTHER = `w/${"e".repeat(32)}-0123456789ab`;

/** The name of the release that a deploy would create. */
const releaseName = async () => (await bed.plan(SITE)).releases[0]?.name ?? "";

describe("L1: a deploy as a release", () => {
  it("stores documents and assets as immutable, and the CDN's error documents as not cacheable", async () => {
    const large = "x".repeat(2 ** 23 + 1);
    await bed.deploy({ w: siteTexts({ [ASSET]: large }) });
    // Sent as a stream.
    expect(bed.bucket.text(ASSET)).toBe(large);
    const cacheControl = "public, max-age=31536000, immutable";
    const contentType = "application/json; charset=utf-8";
    for (const [key, head] of [
      [`r/${bed.live("site")}/${INDEX}`, { contentType, cacheControl }],
      [ASSET, { contentType: "image/png", cacheControl }],
      ["404.json", { contentType: "application/problem+json", cacheControl: "no-store" }],
      ["503.json", { contentType: "application/problem+json", cacheControl: "no-store" }],
    ] as const)
      expect(await bed.places.objects.head(key)).toMatchObject(head);
  });

  it("replaces an error document of an earlier svc", async () => {
    const { objects } = bed.places;
    await objects.put("404.json", bodyOf("earlier"), { "Content-Type": "text/plain" });
    await bed.deploy(SITE);
    expect(bed.bucket.text("404.json")).toContain("not-found");
  });

  it.each([
    ["target-in-place", () => bed.bucket.put(".svc-deploy.json", "{}")],
    ["object-in-the-way", () => bed.bucket.put("503.json", "someone's")],
    ["project-of-another-workspace", () => bed.kvs.write("p:site", OTHER.replace("w/", "other/"))],
  ])("is refused with %s before any write", async (code, act) => {
    act();
    const { writes } = bed;
    await expect(bed.deploy(SITE)).rejects.toMatchObject({ code });
    expect(bed.writes).toBe(writes);
  });

  it.each([
    ["changed", (file: string) => writeFileSync(file, "CONTENT")],
    ["gone", (file: string) => rmSync(file)],
  ])("is refused when a file has %s since it was published", async (_what, change) => {
    const published = writtenFolder(SITE);
    const plan = await planRelease(published, ["w"], bed.places, bed.work);
    change(join(published.folder, CONTENT));
    const refused = { code: "file-changed" };
    const { objects } = bed.places;
    await expect(uploadReleases(published, plan, objects, bed.work)).rejects.toMatchObject(refused);
    const again = planRelease(published, ["w"], bed.places, bed.work);
    await expect(again).rejects.toMatchObject(refused);
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

describe("L2: several projects", () => {
  const MANY = Array.from({ length: 60 }, (_, n) => `project-${String(n).padStart(3, "0")}`);
  const many = (text: string) => ({
    w: Object.assign({}, ...MANY.map((id) => projectTexts(id, text))),
  });
  const liveReleases = () => new Set(MANY.map((id) => bed.live(id)));

  it.each([0, 1, 2])(
    "more than 49 become live in updates of at most 50 keys, the log in the first, also with %i lost responses",
    async (lost) => {
      bed.kvs.lostResponses = lost;
      const { releases } = await bed.deploy(many("one"));
      expect(liveReleases()).toEqual(new Set([releases[0]?.name]));
      expect(bed.kvs.updates.map(({ puts }) => puts?.size)).toEqual([50, 11]);
      expect(bed.kvs.updates[0]?.puts?.has("l:w")).toBe(true);
    },
  );

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
});

describe("L1, L3: a release of which somebody has changed an object", () => {
  const remove = (key: string) => bed.bucket.objects.delete(key);
  const change = (key: string) => bed.bucket.put(key, "CONFIG");
  const changeAsSvc = (key: string) => bed.places.objects.put(key, bodyOf("CONFIG"), {});
  const ofOtherVersion = (key: string) => {
    const manifest = JSON.parse(bed.bucket.text(key) ?? "");
    bed.bucket.put(key, JSON.stringify({ ...manifest, versionId: "e".repeat(32) }));
  };

  it.each([
    [INDEX, "removed", remove, "uploaded again", "release-incomplete"],
    [ASSET, "removed", remove, "uploaded again", "release-incomplete"],
    ["manifest.json", "removed", remove, "uploaded again", "release-not-found"],
    [INDEX, "changed", change, "different", "release-differs"],
    [INDEX, "changed by svc", changeAsSvc, "different", "release-differs"],
    ["stray.json", "added", change, "unexpected", "release-differs"],
    ["manifest.json", "changed", change, undefined, "release-differs"],
    ["manifest.json", "of another version", ofOtherVersion, undefined, "release-differs"],
  ] as const)("%s is %s", async (path, _how, act, deployed, code) => {
    for (const tagOf of [
      bed.bucket.tagOf,
      // The tags of a store that encrypts are not MD5 hashes.
      (bytes: Buffer) => `encrypted-${sha256(bytes.toString()).slice(0, 20)}`,
    ]) {
      bed = new MemoryReleaseBed();
      bed.bucket.tagOf = tagOf;
      await bed.deploy(SITE);
      const release = bed.live("site") ?? "";
      const key = path === ASSET ? path : `r/${release}/${path}`;
      await act(key);
      const [{ writes }, changes] = [bed, bed.bucket.changes.length];
      const wanted = { text: release, workspaceId: "w" };
      await expect(planRollback(bed.places, bed.work, wanted)).rejects.toMatchObject({ code });
      if (deployed === undefined) continue;
      const again = bed.deploy(SITE);
      if (deployed === "uploaded again") {
        await again;
        expect(bed.bucket.changes.slice(changes)).toEqual([`put ${key}`]);
        continue;
      }
      await expect(again).rejects.toMatchObject({
        code,
        problems: { kind: "objects", list: [{ key, reason: deployed }] },
      });
      expect(bed.writes).toBe(writes);
    }
  });

  it.each([
    ["other bytes are refused", "CONFIG", "release-differs"],
    ["the same bytes are accepted", "config", undefined],
  ])("between plan and upload: %s", async (_what, text, code) => {
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
    "after the upload: nothing becomes live without %s",
    async (path) => {
      const release = await releaseName();
      bed.bucket.after = ({ name, keys }) => {
        if (name === "put" && keys[0]?.endsWith("/manifest.json"))
          remove(path === ASSET ? path : `r/${release}/${path}`);
      };
      await expect(bed.deploy(SITE)).rejects.toMatchObject({ code: "release-incomplete" });
      expect(bed.live("site")).toBeUndefined();
    },
  );
});

describe("L2: the pointer update", () => {
  /** Another program writes before the operations with these numbers. */
  function writing(key: string, value: string, ...numbers: readonly string[]): void {
    const counts = { read: 0, update: 0 };
    bed.kvs.before = (name) => {
      counts[name] += 1;
      if (numbers.includes(`${name} ${counts[name]}`)) bed.kvs.write(key, value);
    };
  }

  it.each([
    // A deploy reads for its plan, updates, and reads back.
    [CHANGED, "p:site", OTHER, "update 1"],
    [CHANGED, "p:site", OTHER, "read 2"],
    [CHANGED, "l:w", "[]", "read 2"],
    [SITE, "p:site", OTHER, "read 2"],
  ])(
    "is refused, or reported, after a concurrent one (case %#)",
    async (workspaces, ...written) => {
      await bed.deploy(SITE);
      writing(...written);
      await expect(bed.deploy(workspaces)).rejects.toMatchObject({
        code: "deployed-meanwhile",
        message: expect.stringContaining(written[0] === "p:site" ? OTHER : "the log"),
      });
    },
  );

  it.each([5, 100])(
    "is repeated up to 20 times when other keys change (%i times)",
    async (count) => {
      let writes = 0;
      bed.kvs.before = (operation) => {
        if (operation === "update" && writes < count) bed.kvs.write(`t:${++writes}:other`, "never");
      };
      const deployed = bed.deploy(SITE);
      if (count > 20) await expect(deployed).rejects.toMatchObject({ code: "kvs-busy" });
      else await deployed;
      expect([writes, bed.live("site") !== undefined]).toEqual(
        count > 20 ? [20, false] : [5, true],
      );
      expect(bed.kvs.values.get("t:5:other")).toBe("never");
    },
  );
});
