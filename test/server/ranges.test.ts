import { beforeEach, describe, expect, it } from "vitest";
import { ENDPOINTS, type HttpClient, refusal, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const FILM = heldAsset("film", "film.mp4", "0123456789", "video/mp4");
const PATHS = [...ENDPOINTS, `/${FILM.path}`];

let server: HttpClient;
beforeEach(async () => {
  const bed = new TestBed(
    smallWorkspace({
      previewToken: "t0ken",
      entries: [page("home", "Home", { picture: { assetId: "film" } })],
      assets: [FILM.asset],
      files: new Map([FILM.file]),
    }),
  );
  bed.publish();
  server = await serve(bed);
});

/** A range request; `complete` is the response without the range. */
async function askPart(path: string, range: string, headers = {}, method = "GET") {
  const complete = await server.request(path);
  const part = await server.request(path, { method, headers: { Range: range, ...headers } });
  return { complete, part, etag: complete.headers.get("ETag") ?? "" };
}

describe("H7: a Range request for a published document or asset", () => {
  it.each([
    ["bytes=0-3", (text: string) => [0, text.slice(0, 4)] as const],
    ["bytes=4-4", (text: string) => [4, text.slice(4, 5)] as const],
    ["bytes=5-", (text: string) => [5, text.slice(5)] as const],
    ["bytes=-3", (text: string) => [text.length - 3, text.slice(-3)] as const],
    ["bytes=2-999999", (text: string) => [2, text.slice(2)] as const],
  ])("RFC 9110, 14: %s is answered with that part", async (range, cut) => {
    for (const path of PATHS) {
      const { complete, part, etag } = await askPart(path, range);
      expect(part.headers.get("ETag")).toBe(etag);
      expect(part.headers.get("Cache-Control")).toBe(complete.headers.get("Cache-Control"));
      expect(part.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(part.headers.get("Content-Length")).toBe(String(part.text.length));
      const [start, text] = cut(complete.text);
      expect([part.status, part.text]).toEqual([206, text]);
      const cutOut = `bytes ${start}-${start + text.length - 1}/${complete.text.length}`;
      expect(part.headers.get("Content-Range")).toBe(cutOut);
    }
  });

  it.each([
    "bytes=999999-",
    "bytes=-0",
    "bytes=-999999",
    "bytes=5-2",
    "bytes=0-1,4-5",
    "bytes=x",
    "bytes=",
    "bytes=-",
  ])("RFC 9110, 14.2: %s cannot be served as one part: the response is complete", async (range) => {
    for (const path of PATHS) {
      const { complete, part } = await askPart(path, range);
      expect([part.status, part.text]).toEqual([200, complete.text]);
      expect(part.headers.get("Content-Range")).toBeNull();
    }
  });

  it("RFC 9110, 14.1.2: the last byte is a part, and from the end on there is none", async () => {
    for (const path of PATHS) {
      const { text } = await server.request(path);
      const { part: all } = await askPart(path, `bytes=-${text.length}`);
      expect([all.status, all.text]).toEqual([206, text]);
      const { part: last } = await askPart(path, `bytes=${text.length - 1}-`);
      expect([last.status, last.text]).toEqual([206, text.slice(-1)]);
      const { part: after } = await askPart(path, `bytes=${text.length}-`);
      expect([after.status, after.text]).toEqual([200, text]);
    }
  });

  it("RFC 9110, 14.2: an unknown unit is ignored", async () => {
    for (const path of PATHS) {
      const { complete, part } = await askPart(path, "lines=0-3");
      expect([part.status, part.text]).toEqual([200, complete.text]);
    }
  });

  it("RFC 9110, 14.2: HEAD ignores ranges", async () => {
    for (const path of PATHS) {
      const { complete, part } = await askPart(path, "bytes=0-3", {}, "HEAD");
      expect([part.status, part.text]).toEqual([200, ""]);
      expect(part.headers.get("Content-Length")).toBe(complete.headers.get("Content-Length"));
    }
  });

  it("RFC 9110, 13.1.5: If-Range with another ETag gets the complete file, never a part", async () => {
    for (const path of PATHS) {
      const { etag } = await askPart(path, "bytes=0-3");
      for (const tag of ['"other"', `W/${etag}`, "Thu, 01 Jan 1970 00:00:00 GMT"]) {
        const { complete, part } = await askPart(path, "bytes=4-", { "If-Range": tag });
        expect([part.status, part.text], tag).toEqual([200, complete.text]);
      }
      const { complete, part } = await askPart(path, "bytes=4-", { "If-Range": etag });
      expect([part.status, part.text]).toEqual([206, complete.text.slice(4)]);
    }
  });

  it("RFC 9110, 13.2.2: If-None-Match takes precedence over Range", async () => {
    for (const path of PATHS) {
      const { part } = await askPart(path, "bytes=0-3", { "If-None-Match": "*" });
      expect([part.status, part.text]).toEqual([304, ""]);
    }
  });
});

describe("Range requests", () => {
  it.each(ENDPOINTS)("H5: a preview of %s is always complete", async (path) => {
    const query = "?preview_token=t0ken";
    const { text } = await server.request(path + query);
    const {
      status,
      headers,
      text: asked,
    } = await server.request(path + query, {
      headers: { Range: "bytes=0-3" },
    });
    expect([status, asked]).toEqual([200, text]);
    expect(headers.get("Content-Range")).toBeNull();
  });

  it("H4: problem documents have no ranges", async () => {
    const headers = { Range: "bytes=0-3" };
    const none = await server.request("/api/v1/projects/none", { headers });
    expect(refusal(none)).toBe("404 project-not-found");
    const wrong = await server.request(`${ENDPOINTS[0]}?preview_token=wrong`, { headers });
    expect(refusal(wrong)).toBe("401 preview-token-invalid");
  });
});
