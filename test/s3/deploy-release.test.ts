import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ReleaseBed } from "./release-bed.ts";

let bed: ReleaseBed;
beforeEach(async () => {
  bed = await ReleaseBed.make();
});

const changeHeadline = (by = "Hello") => bed.change("entries/home-page.json", "Welcome", by);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The paths of `out/` that the workspace's manifest names. */
function publishedPaths(): string[] {
  const { workspaces } = JSON.parse(readFileSync(bed.path("out", "manifest.json"), "utf8"));
  return Object.keys(workspaces.starter.files);
}

/** The bucket has a release with the bytes that are published now. */
async function expectWhole(release: string): Promise<void> {
  for (const path of publishedPaths()) {
    const key = path.startsWith("assets/") ? path : `r/${release}/${path}`;
    const { text } = await bed.bucket.object(key);
    expect(text, key).toBe(readFileSync(bed.path("out", path), "latin1"));
  }
}

describe("L1: a deploy as a release", () => {
  it("uploads one unchangeable folder, its manifest last, and then points every project to it", async () => {
    const { workspaces } = await bed.deployed("--concurrency", "1");
    const [{ release, versionId, projects, objects }] = workspaces;
    expect(release).toMatch(new RegExp(`^starter/${versionId}-[0-9a-f]{12}$`));
    expect(versionId).toBe(bed.versionId());
    expect(projects).toEqual(["site"]);
    expect(objects.uploaded).toBe(publishedPaths().length);
    await expectWhole(release);
    const writes = bed.writes();
    expect(writes.at(-1)).toBe("UpdateKeys");
    expect(writes.at(-2)).toBe(`PUT /${bed.bucket.name}/r/${release}/manifest.json`);
    expect(bed.live()).toBe(release);
    const manifest = (await bed.bucket.object(`r/${release}/manifest.json`)).text;
    expect(release.slice(-12)).toBe(sha256(manifest).slice(0, 12));
  });

  it("stores documents and assets for ever, and the CDN's error documents not at all", async () => {
    const { workspaces } = await bed.deployed();
    const folder = `r/${workspaces[0].release}`;
    expect(await bed.bucket.object(`${folder}/api/v1/projects/site/index.json`)).toMatchObject({
      contentType: "application/json; charset=utf-8",
      cacheControl: "public, max-age=31536000, immutable",
    });
    const [asset = ""] = await bed.bucket.keys("assets/");
    expect(await bed.bucket.object(asset)).toMatchObject({
      contentType: "image/svg+xml",
      cacheControl: "public, max-age=31536000, immutable",
    });
    for (const key of ["404.json", "503.json"]) {
      expect(await bed.bucket.object(key)).toMatchObject({
        contentType: "application/problem+json",
        cacheControl: "no-store",
      });
    }
  });

  it("writes nothing at all when nothing changed", async () => {
    await bed.deployed();
    bed.forget();
    const { workspaces } = await bed.deployed();
    expect(workspaces[0]).toMatchObject({ objects: { uploaded: 0 }, projects: [] });
    expect(bed.writes()).toEqual([]);
  });

  it("leaves the earlier release as it is", async () => {
    await bed.deployed();
    const earlier = bed.live() ?? "";
    const keys = await bed.bucket.keys(`r/${earlier}/`);
    changeHeadline();
    await bed.deployed();
    expect(bed.live()).not.toBe(earlier);
    await expectWhole(bed.live() ?? "");
    expect(await bed.bucket.keys(`r/${earlier}/`)).toEqual(keys);
  });

  it("uploads only what is missing after one that was cut off", async () => {
    bed.proxy.fault = ({ path }) => (path.endsWith("/schema.json") ? 403 : undefined);
    expect((await bed.refused()).code).toBe("access-denied");
    expect(bed.live()).toBeUndefined();
    bed.proxy.fault = () => undefined;
    const { workspaces } = await bed.deployed();
    expect(workspaces[0].objects.present).toBeGreaterThan(0);
    await expectWhole(workspaces[0].release);
  });

  it("stops hard when an object of the release is there with other bytes", async () => {
    const { workspaces } = await bed.deployed("--dry-run");
    const key = `r/${workspaces[0].release}/api/v1/projects/site/index.json`;
    await bed.bucket.put(key, "{}");
    expect(await bed.refused()).toMatchObject({ code: "release-differs" });
    expect(bed.live()).toBeUndefined();
    expect((await bed.bucket.object(key)).text).toBe("{}");
  });

  it("stops hard when other bytes came between plan and upload (412)", async () => {
    const { workspaces } = await bed.deployed("--dry-run");
    const key = `r/${workspaces[0].release}/api/v1/projects/site/index.json`;
    bed.proxy.fault = ({ method, path }) => {
      if (method !== "PUT" || !path.endsWith(key)) return undefined;
      void bed.bucket.put(key, "{}");
      return { hold: 500 };
    };
    expect(await bed.refused()).toMatchObject({ code: "release-differs" });
    expect(bed.live()).toBeUndefined();
  });

  it("refuses a release that has more objects than it should", async () => {
    const { workspaces } = await bed.deployed();
    await bed.bucket.put(`r/${workspaces[0].release}/stray.json`, "{}");
    expect((await bed.refused()).message).toContain("stray.json");
  });

  it("uploads again what was removed of the release that is live", async () => {
    await bed.deployed();
    const key = `r/${bed.live()}/api/v1/projects/site/index.json`;
    await bed.bucket.remove(key);
    const { workspaces } = await bed.deployed();
    expect(workspaces[0].objects.uploaded).toBe(1);
    expect(await bed.bucket.has(key)).toBe(true);
  });

  it("tells with --dry-run what it would do, and does nothing", async () => {
    const { plan } = await bed.deployed("--dry-run");
    expect(plan.at(-1)).toMatchObject({ action: "point", what: "site" });
    expect(plan.at(-1).reason).toMatch(/^from nothing to starter\//);
    expect(bed.writes()).toEqual([]);
    const text = (await bed.deploy("--dry-run")).stdout;
    expect(text).toMatch(/^upload +404\.json \(missing or changed\)$/m);
  });
});

describe("L2: the switch", () => {
  it("is refused when someone else has switched meanwhile, and says who is live", async () => {
    await bed.deployed();
    const other = `starter/${"e".repeat(32)}-0123456789ab`;
    changeHeadline();
    bed.kvs.onOperation = (operation) => {
      if (operation === "ListKeys") setTimeout(() => bed.kvs.write("p:site", other), 150);
    };
    bed.proxy.fault = ({ method }) => (method === "PUT" ? { hold: 400 } : undefined);
    const error = await bed.refused();
    expect(error).toMatchObject({ code: "deployed-meanwhile" });
    expect(error.message).toContain(`project "site" is live from ${other} now`);
    expect(bed.live()).toBe(other);
  });

  it.each(["ConflictException", "ValidationException", "PreconditionFailed"] as const)(
    "goes on when only other keys have changed meanwhile (%s)",
    async (form) => {
      bed.kvs.staleForm = form;
      let writes = 0;
      bed.kvs.onOperation = (operation) => {
        if (operation === "UpdateKeys" || writes > 2) return;
        const key = `t:${++writes}:other`;
        setTimeout(() => bed.kvs.write(key, "never"), 50);
      };
      bed.proxy.fault = ({ method }) => (method === "PUT" ? { hold: 200 } : undefined);
      const { workspaces } = await bed.deployed();
      expect(bed.live()).toBe(workspaces[0].release);
      expect(bed.kvs.values.get("t:1:other")).toBe("never");
    },
  );

  it("is known to be done when only its answer was lost", async () => {
    await bed.deployed();
    changeHeadline();
    bed.kvs.onOperation = (operation) => {
      if (operation === "ListKeys") bed.kvs.faults.push("none", "cut-late");
    };
    await bed.deployed();
    await expectWhole(bed.live() ?? "");
  });

  it("is refused for a project that is live from another workspace", async () => {
    bed.kvs.write("p:site", `other/${"e".repeat(32)}-0123456789ab`);
    expect((await bed.refused()).code).toBe("project-of-another-workspace");
    expect(bed.proxy.writes()).toEqual([]);
  });
});

describe("a bucket of others", () => {
  it("keeps an error document that svc did not put there", async () => {
    await bed.bucket.put("404.json", "someone's");
    expect((await bed.refused()).code).toBe("object-in-the-way");
    expect((await bed.bucket.object("404.json")).text).toBe("someone's");
  });

  it("that is deployed to in place gets no releases", async () => {
    const { SVC_DEPLOY_KVS: _none, ...env } = bed.env;
    const both = bed.env;
    bed.env = env;
    await bed.deployed();
    bed.env = both;
    expect((await bed.refused()).code).toBe("target-in-place");
    expect(bed.live()).toBeUndefined();
  });
});

describe("a project that is published no more", () => {
  it("is taken off, which is told, and needs --max-deletes to allow it", async () => {
    await bed.deployed();
    bed.kvs.write("p:former", bed.live() ?? "");
    expect((await bed.refused("--max-deletes", "0")).code).toBe("too-many-deletes");
    expect(bed.live("former")).toBe(bed.live());
    const { workspaces } = await bed.deployed();
    expect(workspaces[0]).toMatchObject({ projects: [], removed: ["former"] });
    expect(bed.live("former")).toBeUndefined();
  });
});

describe("--url", () => {
  /** A CDN that takes a while to hear of a switch. */
  async function slowCdn(delay: number): Promise<string> {
    const server = createServer((_request, response) => {
      const versionId = servedVersion;
      response.end(JSON.stringify({ versionId }));
    });
    let servedVersion: string | undefined;
    bed.kvs.onOperation = (operation) => {
      if (operation !== "UpdateKeys") return;
      setTimeout(() => {
        servedVersion = bed.live()?.split(/[/-]/)[1];
      }, delay);
    };
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  }

  it("waits until the CDN serves the new version", async () => {
    const url = await slowCdn(1_000);
    const { live } = await bed.deployed("--url", url);
    expect(live.url).toBe(url);
    expect(live.milliseconds).toBeGreaterThan(400);
  });

  it("says what is served instead when it takes too long", async () => {
    const url = await slowCdn(60_000);
    const error = await bed.refused("--url", url, "--wait", "2");
    expect(error.code).toBe("not-live-yet");
    expect(error.message).toContain(`not version ${bed.versionId()}`);
  });
});
