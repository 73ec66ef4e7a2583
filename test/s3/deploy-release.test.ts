import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { keyOf } from "./live-release.ts";
import { ReleaseBed } from "./release-bed.ts";

let bed: ReleaseBed;
beforeEach(async () => {
  bed = await ReleaseBed.make();
});

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

it("L1: a deploy as a release uploads one immutable folder, its manifest last, and then updates the pointer of every project", async () => {
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

it("L1: --url waits until the CDN serves the new version", async () => {
  let servedVersion: string | undefined;
  const cdn = createServer((_request, response) => {
    response.end(JSON.stringify({ versionId: servedVersion }));
  });
  bed.kvs.onOperation = (operation) => {
    if (operation !== "UpdateKeys") return;
    setTimeout(() => {
      servedVersion = bed.live()?.split(/[/-]/)[1];
    }, 1_000);
  };
  await new Promise<void>((resolve) => cdn.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void cdn.close());
  const url = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/api/v1`;
  const { live } = await bed.deployed("--url", url);
  expect(live.url).toBe(url);
  expect(live.milliseconds).toBeGreaterThan(400);
});
