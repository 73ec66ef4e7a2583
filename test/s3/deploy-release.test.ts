import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { keyOf } from "./live-release.ts";
import { ReleaseBed } from "./release-bed.ts";

let bed: ReleaseBed;
beforeEach(async () => {
  bed = await ReleaseBed.make();
});

const changeHeadline = (by = "Hello") => bed.change("entries/home-page.json", "Welcome", by);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The paths of the workspace's files in `out/`. */
function publishedPaths(): string[] {
  const { workspaces } = JSON.parse(readFileSync(bed.path("out", "manifest.json"), "utf8"));
  return Object.keys(workspaces.starter.files);
}

/** The bucket has a release with the bytes that are currently published. */
async function expectComplete(release: string): Promise<void> {
  for (const path of publishedPaths()) {
    const key = keyOf(release, path);
    const { text } = await bed.bucket.object(key);
    expect(text, key).toBe(readFileSync(bed.path("out", path), "latin1"));
  }
}

describe("L1: a deploy as a release", () => {
  it("uploads one immutable folder, its manifest last, and then updates the pointer of every project", async () => {
    let uploadsBeforeUpdate = 0;
    bed.kvs.onOperation = (operation) => {
      if (operation === "UpdateKeys") uploadsBeforeUpdate = bed.proxy.writes().length;
    };
    const { workspaces } = await bed.deployed();
    const [{ release, versionId, projects, objects }] = workspaces;
    expect(release).toMatch(new RegExp(`^starter/${versionId}-[0-9a-f]{12}$`));
    expect(versionId).toBe(bed.versionId());
    expect(projects).toEqual(["site"]);
    expect(objects.uploaded).toBe(publishedPaths().length);
    await expectComplete(release);
    const put = (key: string) => `PUT /${bed.bucket.name}/${key}`;
    const files = publishedPaths().map((path) => keyOf(release, path));
    const uploads = bed.proxy.writes();
    expect(uploads.at(-1)).toBe(put(`r/${release}/manifest.json`));
    expect(uploads.slice(0, -1).sort()).toEqual(["404.json", "503.json", ...files].map(put).sort());
    expect(uploadsBeforeUpdate).toBe(uploads.length);
    expect(bed.writes().slice(uploads.length)).toEqual(["UpdateKeys"]);
    expect(bed.live()).toBe(release);
    const { text } = await bed.bucket.object(`r/${release}/manifest.json`);
    expect(release.slice(-12)).toBe(sha256(text).slice(0, 12));
  });

  it("fails when other bytes were written between plan and upload (412)", async () => {
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
});

describe("L2: the pointer update", () => {
  it("is refused after a concurrent deploy, which is reported", async () => {
    await bed.deployed();
    const other = `starter/${"e".repeat(32)}-0123456789ab`;
    changeHeadline();
    bed.proxy.fault = ({ method }) => {
      // After the plan.
      if (method === "PUT") bed.kvs.write("p:site", other);
      return undefined;
    };
    const error = await bed.refused();
    expect(error).toMatchObject({ code: "deployed-meanwhile" });
    expect(error.message).toContain(`project "site" is live from ${other} now`);
    expect(bed.live()).toBe(other);
  });

  it("is recognised as done when its response was lost", async () => {
    await bed.deployed();
    changeHeadline();
    bed.kvs.onOperation = (operation) => {
      if (operation === "ListKeys") bed.kvs.faults.push("none", "cut-late");
    };
    await bed.deployed();
    await expectComplete(bed.live() ?? "");
  });
});

describe("L1: --url", () => {
  /** A CDN that applies a pointer update with a delay. */
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
});
