import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { randomRuns } from "../support/random-runs.ts";
import {
  answerOf,
  ENDPOINTS,
  type HttpClient,
  problemOf,
  refusal,
  serve,
} from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

const SECRET = "text of a file beside out";
const HASH = "0123456789abcdef";

let bed: TestBed;
let server: HttpClient;
beforeEach(async () => {
  bed = new TestBed(smallWorkspace({ previewToken: "t0ken-0123456789abcdef" }));
  bed.publish();
  server = await serve(bed);
});

afterEach(async () => {
  // The server must still work after each test.
  expect((await server.request(ENDPOINTS[0])).status).toBe(200);
});

describe("malformed requests", () => {
  it.each([
    ["a backslash", "/api\\v1\\projects\\site", "\\api\\v1\\projects\\site"],
    ["no slash", "api/v1/projects/site", "*", "site"],
  ])("H1: %s leads to no other address", async (_what, ...targets) => {
    for (const target of targets) {
      expect([400, 404], target).toContain(problemOf(await server.target(target)).status);
    }
  });

  it("H4: a URL of 100 kB is rejected with a problem document", async () => {
    for (const target of [`/${"a".repeat(100_000)}`, `/?preview_token=${"a".repeat(100_000)}`]) {
      expect([414, 431]).toContain(problemOf(await server.target(target)).status);
    }
  });

  it.each([
    ["a word", "hello\r\n\r\n"],
    ["a TLS handshake", "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03\r\n\r\n"],
    ["NULs", "\0".repeat(100)],
    ["a NUL in the target", "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["UTF-8 in the target", "GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["another version of HTTP", "GET / HTTP/9.9\r\nHost: x\r\n\r\n"],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost: x\r\nheader\r\n\r\n"],
    ["100 kB of headers", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(100_000)}\r\n\r\n`],
    ["a negative length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n"],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
  ])("H4: %s instead of HTTP is refused with a problem document", async (_what, text) => {
    const answer = answerOf(await server.raw(text));
    const { status } = problemOf(answer);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(answer.headers.get("Content-Length")).toBe(String(answer.text.length));
  });

  it("H4: requests without Host get 400, and an unknown Expect is no defect", async () => {
    const line = `GET ${ENDPOINTS[0]} HTTP/1.1\r\n`;
    const hostless = answerOf(await server.raw(`${line}Connection: close\r\n\r\n`));
    expect(refusal(hostless)).toBe("400 bad-request");
    const odd = await server.target(ENDPOINTS[0], { headers: { Expect: "the-unexpected" } });
    expect(odd.status).toBe(200);
  });

  it.each(["POST", "PUT", "CONNECT"])("H1: %s with a body is 405 with Allow", async (method) => {
    const body = "b".repeat(1_000_000);
    const headers = { "Content-Length": String(body.length) };
    for (const path of ENDPOINTS) {
      const answer = await server.target(path, { method, body, headers });
      expect(refusal(answer)).toBe("405 method-not-allowed");
      expect(answer.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    }
  });

  it("H4: a failure of the server itself is a problem document that tells nothing of it", async () => {
    server = await serve(bed, { mayFail: true });
    bed.store.close();
    const answer = await server.request(
      "/api/v1/projects/site?preview_token=t0ken-0123456789abcdef",
    );
    expect(refusal(answer)).toBe("500 internal-error");
    expect(answer.text).not.toMatch(/database|sqlite|connection|t0ken-0123456789abcdef|\bat \//i);
  });
});

describe("files that are not published", () => {
  /** Files beside `out/`, and symbolic links to them in every folder that is served. */
  beforeEach(() => {
    const secrets = join(bed.folder, "secrets");
    const [assets, projects] = [join(bed.out, "assets"), join(bed.out, "api/v1/projects")];
    for (const folder of [secrets, join(assets, HASH), join(projects, "link")]) {
      mkdirSync(folder, { recursive: true });
    }
    for (const name of ["secret.txt", "index.json"]) writeFileSync(join(secrets, name), SECRET);
    writeFileSync(join(bed.folder, "secret.txt"), SECRET);
    writeFileSync(join(assets, HASH, "real.txt"), "text of an asset");
    symlinkSync(join(secrets, "secret.txt"), join(assets, HASH, "link.txt"));
    symlinkSync(join(secrets, "secret.txt"), join(projects, "link/index.json"));
    symlinkSync(secrets, join(assets, "aaaaaaaaaaaaaaaa"));
    symlinkSync(secrets, join(projects, "linked-folder"));
  });

  it.each([
    ["a linked asset", `/assets/${HASH}/link.txt`],
    ["a linked document", "/api/v1/projects/link"],
    ["an asset in a linked folder", "/assets/aaaaaaaaaaaaaaaa/secret.txt"],
    ["a document in a linked folder", "/api/v1/projects/linked-folder"],
  ])("H1: nothing outside of out/ is served: %s", async (_what, target) => {
    expect(refusal(await server.target(target))).toMatch(/^404 /);
    expect((await server.target(`/assets/${HASH}/real.txt`)).text).toBe("text of an asset");
  });

  it("H1: no random path serves a file outside of out/ or causes a server error", async () => {
    const pieces = [
      "/",
      "//",
      "..",
      ".",
      "%2e",
      "%2F",
      "%5c",
      "\\",
      "%00",
      "%",
      "%25",
      "?",
      "#",
      ";",
    ];
    const names = ["assets", HASH, "real.txt", "secret.txt", "api", "v1", "projects", "site"];
    const targets = fc.array(fc.constantFrom(...pieces, "/", "/", ...names), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(targets, async (parts) => {
        const answer = await server.target(`/${parts.join("")}`);
        expect(answer.text).not.toContain(SECRET);
        if (answer.status !== 200) expect([400, 404]).toContain(problemOf(answer).status);
      }),
      { numRuns: randomRuns(500) },
    );
  });
});
