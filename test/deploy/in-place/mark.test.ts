import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { EMPTY, manifestText, parseManifest } from "../../../src/deploy/in-place/manifest.ts";
import { fakeClock, passing } from "../../support/deploy/fake-clock.ts";
import {
  ASSET,
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

const OTHER = { id: "d", host: "ci-7", pid: 12, since: "2026-01-02T03:04:05.000Z" };

/** Writes the mark of another deploy into the manifest. */
function markOther(touches: object = {}): void {
  const deploy = { ...OTHER, touches };
  bed.bucket.put(MANIFEST, JSON.stringify({ ...bed.manifest(), deploy }));
}

describe("L6: a deploy that is marked in the manifest", () => {
  beforeEach(async () => {
    await bed.deploy();
  });

  it("refuses another one, which says who and since when, and changes nothing", async () => {
    markOther();
    const count = bed.bucket.changes.length;
    await expect(bed.deploy(MOVED)).rejects.toMatchObject({
      code: "deploy-running",
      message:
        "another deploy to the target is running (process 12 on ci-7, since 2026-01-02T03:04:05.000Z)",
      hint: expect.stringMatching(/--force$/),
    });
    expect((await bed.deploy(MOVED, { dryRun: true })).objects.uploaded).toBe(3);
    expect(bed.bucket.changes).toHaveLength(count);
  });
});

describe("L6: a running deploy", () => {
  it("writes the manifest at its begin and its end, however long it takes", async () => {
    await bed.deploy();
    fakeClock();
    bed.bucket.before = ({ keys }) => keys[0] === PROJECT && sleep(35_000);
    const count = bed.bucket.changes.length;
    await passing(bed.deploy(MOVED));
    const writes = bed.bucket.changes.slice(count).filter((one) => one === `put ${MANIFEST}`);
    expect(writes).toHaveLength(2);
  });

  it.each([
    ["writes nothing when another has taken over", true],
    ["continues when it was not taken over", false],
  ])("that was suspended %s", async (_what, isTakenOver) => {
    fakeClock();
    bed.bucket.after = ({ name, keys }) => {
      if (name !== "put" || keys[0] !== "404.json") return;
      // No timer fires, as in a suspended process.
      vi.setSystemTime(Date.now() + 60_000);
      if (isTakenOver) markOther();
    };
    const code = await bed.deploy().then(
      () => "done",
      (error) => error.code,
    );
    expect(code).toBe(isTakenOver ? "deploy-superseded" : "done");
    expect(bed.bucket.keys().includes(ASSET)).toBe(!isTakenOver);
    expect(bed.manifest().deploy?.host).toBe(isTakenOver ? "ci-7" : undefined);
  });

  it("recognises its own manifest when only the response was lost", async () => {
    const objects = bed.losingResponses(MANIFEST);
    await bed.deploy(SITE, { objects });
    await bed.deploy(MOVED, { objects });
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
    expect(bed.manifest().deploy).toBeUndefined();
  });
});

describe("the manifest of a deploy in place", () => {
  const deploy = { ...OTHER, touches: { [ASSET]: ["b"], "503.json": [] } };

  it("survives a write and a read", () => {
    const manifest = { ...EMPTY, touched: { "404.json": ["a"] }, deploy };
    expect(parseManifest(manifestText(manifest), "")).toEqual(manifest);
  });

  it("of an earlier release lists nothing that was touched", () => {
    const text = JSON.stringify({ ...EMPTY, touched: undefined });
    expect(parseManifest(text, "")).toEqual(EMPTY);
  });

  it.each([
    "",
    "null",
    "[]",
    "{",
    '{"formatVersion":2}',
    manifestText(EMPTY).slice(0, -3),
    JSON.stringify({ ...EMPTY, deploy: { host: 1 } }),
    JSON.stringify({ ...EMPTY, deploy: { ...deploy, touches: { "404.json": 1 } } }),
    JSON.stringify({ ...EMPTY, touched: [] }),
    JSON.stringify({ ...EMPTY, objects: [] }),
    JSON.stringify({ ...EMPTY, objects: { "404.json": { owners: "w" } } }),
  ])("is refused when it is invalid: %s", (text) => {
    expect(() => parseManifest(text, "s3://b/.svc-deploy.json")).toThrow(
      expect.objectContaining({ code: "deploy-manifest-invalid" }),
    );
  });
});
