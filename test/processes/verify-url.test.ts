import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyServed, verifyUrl } from "../../src/publish/verify-url.ts";
import { apiHandler } from "../../src/server/api-handler.ts";
import { PublishedFiles } from "../../src/server/published-files.ts";
import { UsageError } from "../../src/workspace/errors.ts";
import { CliBed } from "../support/cli-bed.ts";
import { statesBelow } from "../support/file-tree.ts";
import {
  HOME,
  INDEX,
  NEWS,
  PHOTO,
  publishedPagesBed,
  SCHEMA,
} from "../support/publish/published-pages-bed.ts";
import {
  answer,
  breakOff,
  deadUrl,
  host,
  hostOf,
  type Misbehaviour,
  SERVED_AT,
  verifyAt,
} from "../support/server/hosts.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const at = (path: string) => SERVED_AT[path] ?? "";
const ALL = [HOME, NEWS, INDEX, SCHEMA];
const PHOTO_PATH = PHOTO.path;

describe("F7: svc verify --url and a host with one wrong document", () => {
  it.each(ALL)("reports exactly that document: %s", async (path) => {
    const bed = publishedPagesBed();
    const url = await hostOf(bed, { [path]: answer(200, "{}") });
    const detail = expect.stringMatching(/^has 2 bytes, published were \d+$/);
    expect(await verifyAt(bed, url)).toEqual({
      ok: false,
      files: 5,
      differs: [{ path, reason: "changed", detail }],
    });
  });

  const says = (status: number) =>
    expect.stringMatching(new RegExp(`/site/schema\\b.* ${status}$`));

  it.each<[what: string, misbehaviour: Misbehaviour, finds: object]>([
    ["is missing", answer(404, "{}"), { reason: "missing", detail: says(404) }],
    ["is gone", answer(410), { reason: "missing", detail: says(410) }],
    ["is refused", answer(401), { reason: "unreadable", detail: says(401) }],
    ["fails", answer(500, "oops"), { reason: "unreadable", detail: says(500) }],
    ["is not ready", answer(503), { reason: "unreadable", detail: says(503) }],
    ["has no content", answer(204), { reason: "unreadable", detail: says(204) }],
    ["is empty", answer(200), { reason: "changed" }],
    ["is a page of a proxy", answer(200, "<!doctype html>"), { reason: "changed" }],
    [
      "redirects to a missing path",
      answer(302, "", { Location: "/nowhere" }),
      { reason: "missing" },
    ],
    [
      "redirects to another document",
      answer(301, "", { Location: at(NEWS) }),
      { reason: "changed" },
    ],
  ])("reports one that %s", async (_what, misbehaviour, finds) => {
    const bed = publishedPagesBed();
    const { ok, differs } = await verifyAt(bed, await hostOf(bed, { [SCHEMA]: misbehaviour }));
    expect({ ok, differs }).toMatchObject({ ok: false, differs: [{ path: SCHEMA, ...finds }] });
  });

  // The first request and a later one: one failed request does not mean that the host is down.
  describe.each([HOME, SCHEMA])("at %s", (path) => {
    it.each<[what: string, misbehaviour: Misbehaviour]>([
      ["is cut off half-way", breakOff],
      ["gets no answer", ({ socket }) => socket?.destroy()],
      ["redirects to itself", answer(302, "", { Location: at(path) })],
    ])("reports as unreadable one that %s", async (_what, misbehaviour) => {
      const bed = publishedPagesBed();
      const { ok, differs } = await verifyAt(bed, await hostOf(bed, { [path]: misbehaviour }));
      const detail = expect.stringContaining(at(path));
      expect({ ok, differs }).toEqual({
        ok: false,
        differs: [{ path, reason: "unreadable", detail }],
      });
    });
  });

  it("follows a redirect to the published bytes", async () => {
    const bed = publishedPagesBed();
    const elsewhere = await hostOf(bed);
    const Location = elsewhere.replace("/api/v1", at(SCHEMA));
    const url = await hostOf(bed, { [SCHEMA]: answer(307, "moved", { Location }) });
    expect(await verifyAt(bed, url)).toEqual({ ok: true, files: 5, differs: [] });
  });
});

describe("F7: svc verify --url and a host without any document", () => {
  it("fails when the host is unreachable, with a hint", async () => {
    const url = await deadUrl();
    const failure = {
      name: "SvcError",
      code: "url-unreachable",
      hint: expect.stringMatching(/check/),
    };
    const error = await verifyAt(publishedPagesBed(), url).catch((error: unknown) => error);
    expect(error).toMatchObject(failure);
    expect((error as Error).message).toContain(url);
    expect((error as Error).message).toContain("ECONNREFUSED");
  });

  it.each<[what: string, misbehaviour: Misbehaviour, reason: string]>([
    ["has no document", answer(404), "missing"],
    ["always fails", answer(500), "unreadable"],
    ["cuts off every response", breakOff, "unreadable"],
  ])("reports every document when the host %s", async (_what, misbehaviour, reason) => {
    const url = await host((_request, response) => misbehaviour(response));
    const { ok, differs } = await verifyAt(publishedPagesBed(), `${url}/api/v1`);
    expect([ok, differs.map((one) => [one.path, one.reason])]).toEqual([
      false,
      [...ALL, PHOTO_PATH].map((path) => [path, reason]),
    ]);
  });
});

/** Serves a test bed below a prefix, and records the requests. */
async function recordingHost(
  bed: TestBed,
  prefix = "",
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const serve = apiHandler(new PublishedFiles(bed.out), undefined, () => {});
  const url = await host((request, response) => {
    const target = request.url ?? "";
    requests.push(`${request.method} ${target}`);
    if (/^\/(?:api|assets)\//.test(target.slice(prefix.length)))
      request.url = target.slice(prefix.length);
    else request.url = "/";
    serve(request, response);
  });
  return { url, requests };
}

describe("F7: the base URL of svc verify --url", () => {
  it.each([
    ["without a final slash", "", "/api/v1"],
    ["with a final slash", "", "/api/v1/"],
    ["under a path", "/x", "/x/api/v1"],
    ["under a longer path, with a final slash", "/cdn/my%20shop", "/cdn/my%20shop/api/v1/"],
  ])("is accepted %s, and each document is requested once", async (_what, prefix, base) => {
    const bed = publishedPagesBed();
    const { url, requests } = await recordingHost(bed, prefix);
    expect(await verifyAt(bed, url + base)).toEqual({ ok: true, files: 5, differs: [] });
    const expected = [...Object.values(SERVED_AT), `/${PHOTO_PATH}`].map(
      (path) => `GET ${prefix}${path}`,
    );
    expect(requests.toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    "",
    "127.0.0.1:4400/api/v1",
    "ftp://127.0.0.1/api/v1",
    "http://127.0.0.1/api/v2",
    "http://127.0.0.1/api/v1x",
    "http://127.0.0.1/api/v1?token=1",
    "http://127.0.0.1/#/api/v1",
    "http://user:secret@127.0.0.1/api/v1",
  ])("is refused as wrong usage when it is %j", async (url) => {
    await expect(verifyUrl(publishedPagesBed().out, url, () => {})).rejects.toThrow(UsageError);
  });

  it("is refused with exit status 2 and an example, before any request", () => {
    const { out } = publishedPagesBed();
    const cli = new CliBed();
    const url = "http://127.0.0.1:4400";
    const [error, hint] = cli.failure(2, "verify", "--out", out, "--url", url);
    expect(error).toContain(`"${url}"`);
    expect(hint).toContain("http://127.0.0.1:4400/api/v1");
    cli.failure(2, "verify", "--out", out, "--url", " ");
  });
});

describe("F7: the requests of svc verify --url", () => {
  it("are parallel, and at most 16", async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `page-${index}`);
    const bed = new TestBed(
      smallWorkspace({
        projects: [projectOf("site", ...ids)],
        entries: ids.map((id) => page(id, `Title of ${id}`)),
      }),
    );
    bed.publish();
    const serve = apiHandler(new PublishedFiles(bed.out), undefined, () => {});
    let active = 0;
    let most = 0;
    const url = await host((request, response) => {
      active += 1;
      most = Math.max(most, active);
      // Long enough for all parallel requests to arrive.
      setTimeout(() => {
        active -= 1;
        serve(request, response);
      }, 30);
    });
    expect(await verifyAt(bed, `${url}/api/v1`)).toEqual({ ok: true, files: 62, differs: [] });
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
  });
});

const NONE = { errors: 0, warnings: 0, byCode: {} };
const SAME = { ok: true, files: 5, differs: [] };

describe("F7: svc verify --url", () => {
  it("succeeds for svc serve, and reports the differences of another version", async () => {
    const bed = publishedPagesBed();
    const server = await ServerProcess.start("serve", "--out", bed.out);
    const cli = new CliBed();
    const args = ["verify", "--out", bed.out, "--url", `${server.client.url}/api/v1`];
    expect(cli.json(0, ...args)).toEqual({ ...SAME, counts: NONE });
    expect(cli.ok(...args).stdout).toBe(`${server.client.url}/api/v1: 5 files, all as published\n`);

    const later = new TestBed(smallWorkspace());
    later.publish();
    const { status, stdout, stderr } = cli.run("verify", "--out", later.out, ...args.slice(3));
    expect(status).toBe(1);
    expect(stdout).toMatch(/changed +api\S+: has version [0-9a-f]{32}, not [0-9a-f]{32}\n/);
    for (const path of [HOME, INDEX, SCHEMA]) expect(stdout).toContain(path);
    expect(stdout).toContain("3 files differ");
    expect(stderr).toMatch(/^hint: /);
  });

  it("compares the documents of every workspace of out/", async () => {
    const bed = new TestBed(
      smallWorkspace(),
      smallWorkspace({ id: "neighbour", projects: [projectOf("other", "home")] }),
    );
    for (const workspace of ["w", "neighbour"]) bed.publish({ workspace });
    expect(await verifyAt(bed, await hostOf(bed))).toEqual({ ok: true, files: 6, differs: [] });
  });

  it.each<[what: string, serves: Misbehaviour, finds: object]>([
    ["are missing", answer(404), { reason: "missing" }],
    ["have other bytes", answer(200, "another"), { reason: "changed" }],
  ])("reports assets that %s", async (_what, misbehaviour, finds) => {
    const bed = publishedPagesBed();
    const serve = apiHandler(new PublishedFiles(bed.out), undefined, () => {});
    const url = await host((request, response) => {
      if (request.url?.startsWith("/assets/")) misbehaviour(response);
      else serve(request, response);
    });
    const { ok, differs } = await verifyAt(bed, `${url}/api/v1`);
    expect({ ok, differs }).toMatchObject({ ok: false, differs: [{ path: PHOTO_PATH, ...finds }] });
  });

  it("finds assets where the documents say, and compares the size of very large ones", async () => {
    const requests: (string | undefined)[] = [];
    const large = heldAsset("large", "large video.mp4", "v".repeat(8 * 1024 * 1024 + 1));
    const bytes = new Map([large, PHOTO].map(({ path, asset }) => [path, asset.sizeBytes]));
    const cdn = await host((request, response) => {
      requests.push(request.method);
      const path = decodeURIComponent(request.url ?? "").slice("/cdn/".length);
      const isAsked = request.headers["accept-encoding"] === "identity";
      const size = isAsked ? bytes.get(path) : undefined;
      if (request.method === "HEAD" && typeof size === "number") {
        response.setHeader("Content-Length", size);
      }
      response.end(request.method === "HEAD" ? undefined : "a photo");
    });
    const bed = new TestBed(
      smallWorkspace({
        assetBaseUrl: `${cdn}/cdn`,
        entries: [
          page("home", "Home", { picture: { assetId: "photo" }, next: { contentEntryId: "b" } }),
          page("b", "B", { picture: { assetId: "large" } }),
        ],
        assets: [PHOTO.asset, large.asset],
        files: new Map([PHOTO.file, large.file]),
      }),
    );
    bed.publish();
    const url = await hostOf(bed);
    expect(await verifyAt(bed, url)).toMatchObject({ ok: true });
    expect(requests.sort()).toEqual(["GET", "HEAD"]);
    bytes.set(large.path, 1);
    expect(await verifyAt(bed, url)).toMatchObject({
      differs: [{ path: large.path, detail: expect.stringContaining("has 1 bytes") }],
    });
    // As a host that answers everything with one page.
    bytes.clear();
    expect(await verifyAt(bed, url)).toMatchObject({
      differs: [{ path: large.path, detail: expect.stringContaining("tells no size") }],
    });
  });

  it("reads only the manifest of out/, and changes nothing", async () => {
    const [bed, served] = [publishedPagesBed(), publishedPagesBed()];
    for (const part of ["api", "assets", "404.json"]) {
      rmSync(join(bed.out, part), { recursive: true });
    }
    const states = statesBelow(bed.folder);
    expect(await verifyAt(bed, await hostOf(served))).toEqual(SAME);
    expect(statesBelow(bed.folder)).toEqual(states);
    rmSync(join(bed.out, "manifest.json"));
    const missing = expect.objectContaining({ code: "manifest-missing" });
    await expect(verifyAt(bed, await hostOf(served))).rejects.toThrow(missing);
  });
});

describe("F7a: svc verify --url --project", () => {
  it("needs no published files, and says which version is whole", async () => {
    const bed = publishedPagesBed();
    const { versionId } = bed.publish();
    const url = await hostOf(bed);
    const cli = new CliBed();
    const served = await verifyServed(url, ["site"], () => {});
    expect(served).toEqual({ ...SAME, versionId });
    const server = await ServerProcess.start("serve", "--out", bed.out);
    const args = ["verify", "--url", `${server.client.url}/api/v1`, "--project", "site"];
    expect(cli.ok(...args).stdout).toContain(`5 files, all of version ${versionId}`);
    const [error] = cli.failure(4, ...args.slice(0, 3), "--project", "other");
    expect(error).toContain("has nothing published of the projects other");
    cli.failure(2, "verify", "--project", "site");
  });

  it.each<[code: string, path: string, misbehaviour: Misbehaviour]>([
    ["version-incomplete", NEWS, answer(404)],
    ["url-refused", SCHEMA, answer(200, "<!doctype html>")],
  ])("is %s when %s is not as published", async (code, path, misbehaviour) => {
    const url = await hostOf(publishedPagesBed(), { [path]: misbehaviour });
    const error = expect.objectContaining({ code });
    await expect(verifyServed(url, ["site"], () => {})).rejects.toThrow(error);
  });

  it.each<[reason: string, misbehaviour: Misbehaviour]>([
    ["missing", answer(404)],
    ["changed", answer(200, "another")],
    ["unreadable", breakOff],
  ])("reports an asset that is %s", async (reason, misbehaviour) => {
    const serve = apiHandler(new PublishedFiles(publishedPagesBed().out), undefined, () => {});
    const url = await host((request, response) => {
      if (request.url?.startsWith("/assets/")) misbehaviour(response);
      else serve(request, response);
    });
    const { ok, differs } = await verifyServed(`${url}/api/v1`, ["site"], () => {});
    expect({ ok, differs }).toMatchObject({ ok: false, differs: [{ path: PHOTO_PATH, reason }] });
  });
});
