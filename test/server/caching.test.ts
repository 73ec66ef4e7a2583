import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ENDPOINTS, type HttpClient, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const FILM = heldAsset("film", "film.mp4", "no real film", "video/mp4");
const PATHS = [...ENDPOINTS, `/${FILM.path}`];
const PROJECT_FILE = "api/v1/projects/site/index.json";

let bed: TestBed;
let server: HttpClient;
beforeEach(async () => {
  bed = new TestBed(site("Home"));
  bed.publish();
  server = await serve(bed, { preview: false });
});

function site(title: string) {
  return smallWorkspace({
    entries: [page("home", title, { picture: { assetId: "film" } })],
    assets: [FILM.asset],
    files: new Map([FILM.file]),
  });
}

async function etagOf(path: string): Promise<string> {
  const { status, headers } = await server.request(path);
  expect(status).toBe(200);
  return headers.get("ETag") ?? "";
}

describe("entity tags", () => {
  it("H2: every published document and asset has a strong ETag", async () => {
    for (const path of PATHS) expect(await etagOf(path)).toMatch(/^"[\x21\x23-\x7e]{16,}"$/);
  });

  it("H2: different bytes have different ETags", async () => {
    const before = await Promise.all(PATHS.map(etagOf));
    expect(new Set(before).size).toBe(PATHS.length);
    bed.import(site("Another home"));
    bed.publish();
    const [config, schema, content] = await Promise.all(PATHS.map(etagOf));
    // All three documents contain the new version id.
    for (const etag of [config, schema, content]) expect(before).not.toContain(etag);
  });

  it("H2: the ETag depends on the bytes alone, not on date, file or server", async () => {
    const before = await Promise.all(PATHS.map(etagOf));
    for (const file of [PROJECT_FILE, FILM.path]) utimesSync(join(bed.out, file), 1, 1);
    expect(await Promise.all(PATHS.map(etagOf))).toEqual(before);
    bed.import(site("Another home"));
    bed.publish();
    bed.import(site("Home"));
    bed.publish();
    expect(await Promise.all(PATHS.map(etagOf))).toEqual(before);
    server = await serve(bed, { preview: false });
    expect(await Promise.all(PATHS.map(etagOf))).toEqual(before);
  });

  it.each(["replaced", "written over"])(
    "H2: a file that is %s by one of the same size and date has another ETag",
    async (how) => {
      const file = join(bed.out, PROJECT_FILE);
      const etags = new Set<string>();
      for (let turn = 100; turn < 150; turn += 1) {
        const written = how === "replaced" ? `${file}.new` : file;
        writeFileSync(written, `{"id":${turn}}\n`);
        utimesSync(written, 1, 1);
        if (how === "replaced") renameSync(written, file);
        const { text, headers } = await server.request(ENDPOINTS[0]);
        expect(text).toBe(`{"id":${turn}}\n`);
        etags.add(headers.get("ETag") ?? "");
      }
      expect(etags.size).toBe(50);
    },
  );
});

describe("conditional requests", () => {
  /** Values of `If-None-Match`, given the ETag and its weak form. */
  const MATCHES: Record<string, (etag: string) => string> = {
    exact: (etag) => etag,
    weak: (etag) => `W/${etag}`,
    "a list": (etag) => `"other", ${etag}`,
    "a list of weak tags without spaces": (etag) => `W/"other",W/${etag},"more"`,
    "a list with commas inside of tags": (etag) => `"a,b", ,\t${etag} , W/"c, d"`,
    "*": () => "*",
  };
  const OTHERS: Record<string, (etag: string) => string> = {
    "another tag": () => '"0123456789abcdef0123456789abcdef"',
    "a list of others": (etag) => `"other", W/"${etag.slice(2)}`,
    "the tag without quotes": (etag) => etag.slice(1, -1),
    "the tag within another": (etag) => `"x${etag.slice(1)}`,
    "the tag in other letters": (etag) => etag.toUpperCase(),
    "a star in quotes": () => '"*"',
    nothing: () => "",
  };

  it.each(Object.keys(MATCHES))("H2: If-None-Match with %s gets 304", async (how) => {
    for (const path of PATHS) {
      const etag = MATCHES[how]?.(await etagOf(path)) ?? "";
      for (const method of ["GET", "HEAD"]) {
        const answer = await server.request(path, { method, headers: { "If-None-Match": etag } });
        expect([answer.status, answer.text]).toEqual([304, ""]);
      }
    }
  });

  it.each(Object.keys(OTHERS))("H2: If-None-Match with %s gets 200", async (how) => {
    for (const path of PATHS) {
      const headers = { "If-None-Match": OTHERS[how]?.(await etagOf(path)) ?? "" };
      expect((await server.request(path, { headers })).status).toBe(200);
    }
  });

  it("H2: If-None-Match in two header lines is one list", async () => {
    const line = `If-None-Match: ${await etagOf(ENDPOINTS[0])}\r\nIf-None-Match: "other"`;
    const heard = await server.raw(
      `GET ${ENDPOINTS[0]} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line}\r\n\r\n`,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 304 /);
  });

  it("RFC 9110, 15.4.5: 304 has the caching headers of the 200 response", async () => {
    for (const path of PATHS) {
      const { headers: complete } = await server.request(path);
      const { headers } = await server.request(path, { headers: { "If-None-Match": "*" } });
      for (const name of ["Cache-Control", "Content-Location", "ETag", "Expires", "Vary"]) {
        expect(headers.get(name), `${name} of ${path}`).toBe(complete.get(name));
      }
      expect(headers.get("Date")).not.toBeNull();
      const length = complete.get("Content-Length");
      expect(headers.get("Content-Length") ?? length).toBe(length);
    }
  });

  it("H2: an old ETag gets the new bytes", async () => {
    const etag = await etagOf(ENDPOINTS[2]);
    bed.import(site("Another home"));
    bed.publish();
    const answer = await server.request(ENDPOINTS[2], { headers: { "If-None-Match": etag } });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Another home");
  });
});

it("H2: a document may be cached for 30 seconds, and longer while stale", async () => {
  for (const path of ENDPOINTS) {
    for (const method of ["GET", "HEAD"]) {
      const { headers } = await server.request(path, { method });
      expect(headers.get("Cache-Control")).toBe(
        "public, max-age=30, stale-while-revalidate=3600, stale-if-error=36000",
      );
    }
  }
});
