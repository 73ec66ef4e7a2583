import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answerOf,
  ENDPOINTS,
  type HttpClient,
  type HttpRequest,
  problemOf,
  refusal,
  serve,
} from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

const HASH = "0123456789abcdef";

let server: HttpClient;
beforeEach(async () => {
  const bed = new TestBed(smallWorkspace({ previewToken: "t0ken" }));
  bed.publish();
  server = await serve(bed);
});

afterEach(async () => {
  // The server must still work after each test.
  expect((await server.request(ENDPOINTS[0])).status).toBe(200);
});

describe("malformed requests", () => {
  it("H4: malformed percent-encoding is a bad request", async () => {
    const targets = ["/%", "/%ZZ", "/api/v1/projects/%C3%28", `/assets/${HASH}/%FF`, "/%E0%A4?a=b"];
    for (const target of targets) {
      expect(refusal(await server.target(target)), target).toBe("400 bad-request");
    }
  });

  it.each([
    ["an encoded slash", "/api/v1/projects%2Fsite", "/api%2Fv1/projects/site"],
    [
      "a doubled slash",
      "//api/v1/projects/site",
      "/api/v1//projects/site",
      "/api/v1/projects//site",
    ],
    [
      "a backslash",
      "/api\\v1\\projects\\site",
      "\\api\\v1\\projects\\site",
      "/api/v1/projects/%5Csite",
    ],
    ["a NUL", "/api/v1/projects/site%00", "/%00", `/assets/${HASH}/real.txt%00`],
    ["dots", "/api/v1/projects/./site", "/api/v1/projects/x/../site", "/api/v1/projects/%2e/site"],
    ["no slash", "api/v1/projects/site", "*", "site"],
    ["a fragment", "/api/v1/projects/site#", "/api/v1/projects/site#?preview_token=t0ken"],
    ["a control character", "/api/v1/projects/site%0d%0aX-Injected:%201", "/%7f%1b"],
  ])("H1: %s leads to no other address: %s", async (_what, ...targets) => {
    for (const target of targets) {
      const answer = await server.target(target);
      expect([400, 404], target).toContain(problemOf(answer).status);
      expect([...answer.headers.keys()]).not.toContain("x-injected");
    }
  });

  it("RFC 9112, 3.2.2: a target in absolute form equals its path, whatever the host", async () => {
    const { text } = await server.request(ENDPOINTS[0]);
    for (const host of ["http://localhost", "https://elsewhere.example:1", "HTTP://[::1]"]) {
      expect((await server.target(host + ENDPOINTS[0])).text).toBe(text);
      const draft = await server.target(`${host}${ENDPOINTS[0]}?preview_token=wrong`);
      expect(refusal(draft)).toBe("401 preview-token-invalid");
      for (const rest of ["", "/", "?preview_token=t0ken", "/../secret.txt"]) {
        expect(refusal(await server.target(host + rest))).toBe("404 not-found");
      }
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
    expect(odd.headers.get("Access-Control-Allow-Origin")).toBe("*");
    if (odd.status !== 200) expect(problemOf(odd).status).toBe(417);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("H1: %s with a body is 405", async (method) => {
    const body = "b".repeat(1_000_000);
    const asking: HttpRequest = {
      method,
      body,
      headers: { "Content-Length": String(body.length) },
    };
    for (const path of ENDPOINTS) {
      expect(refusal(await server.request(path, { method, body: "{}" }))).toBe(
        "405 method-not-allowed",
      );
      expect(refusal(await server.target(path, asking))).toBe("405 method-not-allowed");
    }
  });
});
