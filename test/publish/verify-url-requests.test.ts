import { describe, expect, it } from "vitest";
import { verifyUrl } from "../../src/publish/verify-url.ts";
import { apiHandler } from "../../src/server/api-handler.ts";
import { PublishedFiles } from "../../src/server/published-files.ts";
import { UsageError } from "../../src/workspace/errors.ts";
import { CliBed } from "../support/cli-bed.ts";
import { publishedPagesBed } from "../support/publish/published-pages-bed.ts";
import { host, SERVED_AT, verifyAt } from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

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
    if (target.startsWith(`${prefix}/api/`)) request.url = target.slice(prefix.length);
    else request.url = "/";
    serve(request, response);
  });
  return { url, requests };
}

describe("F7: the base URL of svc verify --url", { timeout: 60_000 }, () => {
  it.each([
    ["without a final slash", "", "/api/v1"],
    ["with a final slash", "", "/api/v1/"],
    ["under a path", "/x", "/x/api/v1"],
    ["under a longer path, with a final slash", "/cdn/my%20shop", "/cdn/my%20shop/api/v1/"],
  ])("is accepted %s, and each document is requested once", async (_what, prefix, base) => {
    const bed = publishedPagesBed();
    const { url, requests } = await recordingHost(bed, prefix);
    expect(await verifyAt(bed, url + base)).toEqual({ ok: true, files: 4, differs: [] });
    const expected = Object.values(SERVED_AT).map((path) => `GET ${prefix}${path}`);
    expect(requests.toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    "",
    "shop",
    "127.0.0.1:4400/api/v1",
    "/api/v1",
    "http://",
    "http:///api/v1",
    "ftp://127.0.0.1/api/v1",
    "file:///srv/out/api/v1",
    "http://127.0.0.1",
    "http://127.0.0.1/",
    "http://127.0.0.1/api",
    "http://127.0.0.1/api/v2",
    "http://127.0.0.1/api/v1/projects",
    "http://127.0.0.1/api/v1x",
    "http://127.0.0.1/xapi/v1/x",
    "http://127.0.0.1/api/v1?token=1",
    "http://127.0.0.1/?/api/v1",
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
  it("are parallel, and at most 16", { timeout: 20_000 }, async () => {
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
