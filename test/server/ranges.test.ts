import { beforeEach, describe, expect, it } from "vitest";
import { type Asker, ENDPOINTS, problemOf, refusal, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const FILM = heldAsset("film", "film.mp4", "0123456789", "video/mp4");
const PATHS = [...ENDPOINTS, `/${FILM.path}`];

let server: Asker;
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

/** A request for a part; `whole` is the answer without it. */
async function askPart(path: string, range: string, headers = {}, method = "GET") {
  const whole = await server.ask(path);
  const part = await server.ask(path, { method, headers: { Range: range, ...headers } });
  return { whole, part, etag: whole.headers.get("ETag") ?? "" };
}

describe("H7: a Range request for a published document or asset", () => {
  it.each([
    ["bytes=0-3", (text: string) => [0, text.slice(0, 4)] as const],
    ["bytes=4-4", (text: string) => [4, text.slice(4, 5)] as const],
    ["bytes=5-", (text: string) => [5, text.slice(5)] as const],
    ["bytes=-3", (text: string) => [text.length - 3, text.slice(-3)] as const],
    ["bytes=2-999999", (text: string) => [2, text.slice(2)] as const],
  ])("RFC 9110, 14: %s is answered with that part, or with all", async (range, cut) => {
    for (const path of PATHS) {
      const { whole, part, etag } = await askPart(path, range);
      expect(part.headers.get("ETag")).toBe(etag);
      expect(part.headers.get("Cache-Control")).toBe(whole.headers.get("Cache-Control"));
      expect(part.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(part.headers.get("Content-Length")).toBe(String(part.text.length));
      const [start, text] = cut(whole.text);
      const isAll = part.status === 200;
      expect([part.status, part.text]).toEqual(isAll ? [200, whole.text] : [206, text]);
      const cutOut = `bytes ${start}-${start + text.length - 1}/${whole.text.length}`;
      expect(part.headers.get("Content-Range")).toBe(isAll ? null : cutOut);
    }
  });

  it.each(["bytes=999999-", "bytes=-0", "bytes=5-2", "bytes=x", "bytes="])(
    "H4: %s, which cannot be satisfied, is answered with all or a problem document",
    async (range) => {
      for (const path of PATHS) {
        const { whole, part } = await askPart(path, range);
        if (part.status === 200) expect(part.text).toBe(whole.text);
        else {
          expect(problemOf(part).status).toBe(416);
          expect(part.headers.get("Content-Range")).toBe(`bytes */${whole.text.length}`);
          expect(part.headers.get("Cache-Control")).not.toMatch(/public|max-age/);
        }
      }
    },
  );

  it("RFC 9110, 14.2: a unit that is not known is ignored", async () => {
    for (const path of PATHS) {
      const { whole, part } = await askPart(path, "lines=0-3");
      expect([part.status, part.text]).toEqual([200, whole.text]);
    }
  });

  it("RFC 9110, 14.2: HEAD knows no ranges", async () => {
    for (const path of PATHS) {
      const { whole, part } = await askPart(path, "bytes=0-3", {}, "HEAD");
      expect([part.status, part.text]).toEqual([200, ""]);
      expect(part.headers.get("Content-Length")).toBe(whole.headers.get("Content-Length"));
    }
  });

  it("RFC 9110, 13.1.5: If-Range with a tag of other bytes gets all, never a part of others", async () => {
    for (const path of PATHS) {
      const { etag } = await askPart(path, "bytes=0-3");
      for (const tag of ['"other"', `W/${etag}`, "Thu, 01 Jan 1970 00:00:00 GMT"]) {
        const { whole, part } = await askPart(path, "bytes=4-", { "If-Range": tag });
        expect([part.status, part.text], tag).toEqual([200, whole.text]);
      }
    }
  });

  it("RFC 9110, 13.2.2: If-None-Match goes before Range", async () => {
    for (const path of PATHS) {
      const { part } = await askPart(path, "bytes=0-3", { "If-None-Match": "*" });
      expect([part.status, part.text]).toEqual([304, ""]);
    }
  });
});

describe("Range requests", () => {
  it.each(ENDPOINTS)("H5: a preview of %s is always whole", async (path) => {
    const query = "?preview_token=t0ken";
    const { text } = await server.ask(path + query);
    const {
      status,
      headers,
      text: asked,
    } = await server.ask(path + query, {
      headers: { Range: "bytes=0-3" },
    });
    expect([status, asked]).toEqual([200, text]);
    expect(headers.get("Content-Range")).toBeNull();
  });

  it("H4: there is no part of a problem document", async () => {
    const headers = { Range: "bytes=0-3" };
    const none = await server.ask("/api/v1/projects/none", { headers });
    expect(refusal(none)).toBe("404 project-not-found");
    const wrong = await server.ask(`${ENDPOINTS[0]}?preview_token=wrong`, { headers });
    expect(refusal(wrong)).toBe("401 preview-token-invalid");
  });
});
