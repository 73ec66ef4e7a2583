import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openObjectStore } from "../../src/deploy/aws/s3-object-store.ts";
import { elementsOf } from "../../src/deploy/aws/xml.ts";
import { planRollback } from "../../src/deploy/releases/deploy-release.ts";
import { type ReleaseManifest, releaseKey, releaseOf } from "../../src/deploy/releases/release.ts";
import { sha256 } from "../../src/documents/version-id.ts";
import {
  ASSET,
  MANIFEST,
  MemoryInPlaceBed,
  PROJECT,
  SITE,
} from "../deploy/in-place/memory-in-place-bed.ts";
import { siteTexts } from "../deploy/published-texts.ts";
import { MemoryReleaseBed } from "../deploy/releases/memory-release-bed.ts";
import { CREDENTIALS, credentialsEnv, useEnv } from "../support/deploy/aws-stand-in.ts";
import { allOf, bodyOf } from "../support/deploy/object-bodies.ts";
import { listening } from "../support/server/listening.ts";

// Somebody else can write to the bucket, or the host that answers for it is theirs.

afterEach(() => vi.unstubAllEnvs());

/** A site in place, with an object of somebody else, and a manifest that was edited, or is another text. */
async function bedWith(change: object | string): Promise<MemoryInPlaceBed> {
  const bed = new MemoryInPlaceBed();
  bed.bucket.put("index.html", "the start page of others");
  await bed.deploy(SITE);
  const text =
    typeof change === "string" ? change : JSON.stringify({ ...bed.manifest(), ...change });
  await bed.bucket.open().put(MANIFEST, bodyOf(text), {});
  return bed;
}

const withObject = (more: object, key = PROJECT) => ({
  objects: {
    [key]: {
      sha256: sha256("the start page of others"),
      size: 24,
      headers: { "Content-Type": "text/html", "Cache-Control": "no-store" },
      owners: ["w"],
      ...more,
    },
  },
});

const FOREIGN = [
  "index.html",
  "assets/app.js",
  "assets/0123456789abcdef/.htaccess",
  "api/v1/projects/site/other.json",
  "api/v1/projects/si%74e",
  "api/v1/projects/../x",
  "../other/index.html",
  MANIFEST,
];

describe("L13: a manifest of a deploy in place that was edited", () => {
  const running = { id: "d", host: "ci", pid: 1, since: "2026", touches: {} };

  it.each<[what: string, change: object | string]>([
    ...FOREIGN.map((key): [string, object] => [`lists ${key}`, withObject({}, key)]),
    ...FOREIGN.map((key): [string, object] => [`touched ${key}`, { touched: { [key]: ["w"] } }]),
    ["has an ETag that is a header", withObject({ etag: 'x"\r\nX-Amz-Acl: public-read' })],
    ["has an owner that is a path", withObject({ owners: ["../x"] })],
    ["has owners that are a text", withObject({ owners: "w" })],
    ["has a version that is a path", { workspaces: { w: "../../x" } }],
    ...["etag", "sha256", "size"].map((member): [string, object] => [
      `has an object as ${member}, which is no text`,
      withObject({ [member]: { toString: 1 } }),
    ]),
    ["has a list of objects", { objects: [] }],
    ["was touched by null", { touched: null }],
    ["was touched by a list", { touched: [] }],
    ["has a number that runs", { deploy: { ...running, id: 1 } }],
    ["touches a number", { deploy: { ...running, touches: { "404.json": 1 } } }],
    ["has another format", { formatVersion: 2 }],
    ...["", "null", "[]", "{"].map((text): [string, string] => [`is ${text}`, text]),
  ])("%s: nothing is uploaded or removed", async (_what, change) => {
    const bed = await bedWith(change);
    const count = bed.bucket.changes.length;
    await expect(bed.deploy({ w: { [ASSET]: "picture" } }, { force: true })).rejects.toMatchObject({
      code: "deploy-manifest-invalid",
    });
    expect(bed.bucket.changes.slice(count)).toEqual([]);
    expect(bed.bucket.text("index.html")).toBe("the start page of others");
  });
});

describe("L13: a release that somebody else has put into the bucket", () => {
  const fact = { sha256: sha256("x"), md5: "0".repeat(32), size: 1 };
  const HOME = "api/v1/projects/site/index.json";

  it.each<[what: string, change: object]>([
    ["a page", { files: { [HOME]: fact, "index.html": fact } }],
    ["a path that leads out of it", { files: { [HOME]: fact, "../../../index.html": fact } }],
    ["a project that is a path", { files: { "api/v1/projects/../index.json": fact } }],
    ["a hidden asset", { files: { [HOME]: fact, "assets/0123456789abcdef/.htaccess": fact } }],
    ["a size that is none", { files: { [HOME]: { ...fact, size: "1" } } }],
    ["a hash that is none", { files: { [HOME]: { ...fact, md5: "x" } } }],
    ["files that are null", { files: null }],
    ["files that are a text", { files: "files" }],
  ])("with %s, it is not made live, though its name has its hash", async (_what, change) => {
    const bed = new MemoryReleaseBed();
    await bed.deploy({ w: siteTexts() });
    const live = bed.live("site");
    const versionId = "f".repeat(32);
    const forged = { formatVersion: 1, workspaceId: "w", versionId, ...change };
    const release = releaseOf(forged as unknown as ReleaseManifest);
    const { objects } = bed.places;
    for (const path of Object.keys(release.manifest.files ?? {})) {
      await objects.put(releaseKey(release.name, path), bodyOf("x"), {});
    }
    await objects.put(releaseKey(release.name, "manifest.json"), bodyOf(release.manifestText), {});
    const rollback = planRollback(bed.places, bed.work, { text: versionId });
    await expect(rollback).rejects.toMatchObject({ code: "release-differs" });
    expect(bed.live("site")).toBe(live);
  });
});

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** The bucket `b` below `mine/` at a host that answers so. */
async function bucketAt(respond: Respond) {
  const endpoint = await listening(createServer(respond));
  const abort = new AbortController();
  onTestFinished(() => abort.abort(new Error("the test is over")));
  useEnv(credentialsEnv(CREDENTIALS));
  const options = { endpoint, concurrency: 1, signal: abort.signal };
  return openObjectStore({ bucket: "b", prefix: "mine/" }, options);
}

/** Sends this again and again, as long as somebody reads it. */
function withoutEnd(piece: string): Respond {
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  return (_request, response) => {
    const send = () => {
      while (!response.destroyed && response.write(bytes));
    };
    response.on("drain", send).on("error", () => {});
    send();
  };
}

const page = (inner: string, next = "") =>
  `<ListBucketResult><IsTruncated>${next !== ""}</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>${inner}</ListBucketResult>`;

const contents = (
  key: string,
  more = "<Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified>",
) => `<Contents><Key>${key}</Key>${more}</Contents>`;

describe("L13: a host that answers without an end", () => {
  it("an object, a page of a listing and an error are read up to a limit", async () => {
    const store = await bucketAt(withoutEnd("<Contents><Key>mine/a</Key></Contents>"));
    const tooLarge = { code: "answer-too-large", hint: expect.any(String) };
    await expect(store.get("manifest.json")).rejects.toMatchObject(tooLarge);
    await expect(allOf(store.list("assets/"))).rejects.toMatchObject(tooLarge);
    await expect(allOf(store.folders("r/"))).rejects.toMatchObject(tooLarge);
    await expect(store.delete(["a"])).rejects.toMatchObject(tooLarge);
    const failing = await bucketAt((request, response) => {
      response.statusCode = 403;
      withoutEnd("<Message>no")(request, response);
    });
    await expect(failing.get("manifest.json")).rejects.toMatchObject({ code: "access-denied" });
    expect(process.memoryUsage().rss).toBeLessThan(4 * 2 ** 30);
  });

  it("a listing has an end, whatever the host says", async () => {
    let requests = 0;
    const store = await bucketAt((_request, response) => {
      requests += 1;
      response.end(page(contents(`mine/assets/${requests}`), `next-${requests}`));
    });
    const listed = allOf(store.list("assets/"));
    await expect(listed).rejects.toMatchObject({ code: "answer-too-large" });
    expect(requests).toBe(2_000);
  });

  it("a page has no more keys than were asked for", async () => {
    const many = contents("mine/assets/a").repeat(1_001);
    const store = await bucketAt((_request, response) => void response.end(page(many)));
    await expect(allOf(store.list("assets/"))).rejects.toMatchObject({ code: "answer-too-large" });
  });

  it.each(["index.html", "mine/other/a", "other/assets/a", "mine/assets/%zz", "%2e%2e/x", ""])(
    "a key that was not asked for is no key: %j",
    async (key) => {
      const inner = `${contents(key)}<CommonPrefixes><Prefix>${key}</Prefix></CommonPrefixes>`;
      const store = await bucketAt((_request, response) => void response.end(page(inner)));
      const refused = { code: "store-refused" };
      await expect(allOf(store.list("assets/"))).rejects.toMatchObject(refused);
      await expect(allOf(store.folders("assets/"))).rejects.toMatchObject(refused);
    },
  );

  it("what is no listing, or has no dates, by which a prune removes, is refused", async () => {
    const undated = page(contents("mine/assets/a", "<LastModified>soon</LastModified>"));
    for (const text of ["<html>Sign in</html>", "", undated]) {
      const store = await bucketAt((_request, response) => void response.end(text));
      await expect(allOf(store.list("assets/"))).rejects.toMatchObject({ code: "store-refused" });
    }
  });

  it("dates and hashes that are none are none", async () => {
    const store = await bucketAt((_request, response) => {
      response.setHeader("x-amz-meta-sha256", "../../x").setHeader("Last-Modified", "tomorrow");
      response.end();
    });
    const head = await store.get("a");
    expect(head?.lastModified.toISOString()).toBe("1970-01-01T00:00:00.000Z");
    expect((await store.head("a"))?.sha256).toBeUndefined();
  });

  it("L6b: the age of an object is of one response, and 0 where that has no times", async () => {
    const [date, earlier] = ["Sat, 28 Nov 2026 17:00:00 GMT", "Sat, 28 Nov 2026 16:49:00 GMT"];
    for (const [at, modified, minutes] of [
      [date, earlier, 11],
      [earlier, date, 0],
      ["today", earlier, 0],
      [date, "soon", 0],
    ] as const) {
      const store = await bucketAt((_request, response) => {
        response.setHeader("Date", at).setHeader("Last-Modified", modified).end("{}");
      });
      expect((await store.get("a"))?.age).toBe(minutes * 60_000);
    }
  });

  it("XML is read in a time that grows with its length", () => {
    const startedAt = process.cpuUsage().user;
    expect(elementsOf("<Contents ".repeat(500_000), "Contents")).toEqual([]);
    expect(elementsOf("<Contents>".repeat(500_000), "Contents")).toEqual([]);
    expect((process.cpuUsage().user - startedAt) / 1e6).toBeLessThan(5);
  });
});
