import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { nginxConfig } from "../../src/deploy/edge/nginx.ts";
import { nginx } from "../support/requests/hosts.ts";
import { RequestedSite } from "../support/requests/requested-site.ts";
import { startNginx } from "../support/requests/start-nginx.ts";
import { freePort } from "../support/server/free-port.ts";
import { listening } from "../support/server/listening.ts";
import { ENDPOINTS, type HttpClient, serve } from "../support/server/serving.ts";

const SECRET = "preview-secret-0123456789";

const LONG = "a".repeat(20_000);

/** The last two are of what is no preview, passed on as it came. */
const PREVIEWED = /^(?:401|503|200|220 mail|$)/;

/** Requests that get every status that nginx answers by itself, each with the token in it. */
const REQUESTS: readonly [status: RegExp, text: (path: string) => string][] = [
  [PREVIEWED, (path) => `GET ${path}?preview_token=${SECRET} HTTP/1.1`],
  [PREVIEWED, (path) => `HEAD ${path}?x=1&preview%5Ftoken=${SECRET} HTTP/1.1`],
  [PREVIEWED, (path) => `GET http://a.example${path}?preview_token=${SECRET} HTTP/1.1`],
  [/^405/, (path) => `POST ${path}?preview_token=${SECRET} HTTP/1.1`],
  [/^204/, (path) => `OPTIONS ${path}?preview_token=${SECRET} HTTP/1.1`],
  [/^405/, (path) => `FOO ${path}?preview_token=${SECRET} HTTP/1.1`],
  [/^404/, (path) => `GET ${path}/nothing?preview_token=${SECRET} HTTP/1.1`],
  [/^404/, () => `GET /assets//?preview_token=${SECRET} HTTP/1.1`],
  [/^404/, () => `GET /../x?preview_token=${SECRET} HTTP/1.1`],
  [/^404/, (path) => `GET ${path}%3Fpreview_token=${SECRET} HTTP/1.1`],
  [/^404/, (path) => `GET ${path}&preview_token=${SECRET} HTTP/1.1`],
  [/^404/, () => `GET /preview_token%3d${SECRET} HTTP/1.1`],
  [/^400/, (path) => `GET ${path}/%ZZ?preview_token=${SECRET} HTTP/1.1`],
  [/^404/, (path) => `GET ${path}?preview_token=${SECRET} HTTP/9`],
  [/^431/, (path) => `GET ${path}?preview_token=${SECRET}${LONG} HTTP/1.1`],
  [/^431/, (path) => `GET ${path}?preview_token=${SECRET} HTTP/1.1\r\nX: ${LONG}`],
  [/^200/, (path) => `GET ${path} HTTP/1.1\r\nReferer: http://a/?preview_token=${SECRET}`],
  [/^416/, (path) => `GET ${path} HTTP/1.1\r\nRange: bytes=9999999-\r\nReferer: ${SECRET}`],
];

async function attack(client: HttpClient, requests = REQUESTS): Promise<void> {
  const [path] = ENDPOINTS;
  for (const [status, text] of requests) {
    const request = `${text(path)}\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const answer = await client.raw(request);
    expect(answer.replace(/^HTTP\/1\.1 /, ""), request.slice(0, 200)).toMatch(status);
  }
}

/** Something that takes connections as a preview does, and does not answer as one. */
const deadPreview = (answer: string) =>
  listening(createServer((socket) => socket.on("error", () => {}).end(answer)));

describe("H3a: nginx logs no query and no Referer", () => {
  it.each([
    ["without a preview", () => undefined],
    ["in front of a preview", async (site: RequestedSite) => (await serve(site.bed)).url],
    ["of a preview that is down", async () => `http://127.0.0.1:${await freePort()}`],
    ["of a preview that closes connections", () => deadPreview("")],
    ["of one that is no HTTP server", () => deadPreview("220 mail\r\n\r\n")],
    ["of one that breaks off", () => deadPreview("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1")],
  ])("%s", async (_, previewOf) => {
    const site = new RequestedSite();
    const client = await nginx(site, await previewOf(site));
    await attack(client);
    for (const path of ENDPOINTS) await client.request(path);
    // What it logs is of use.
    for (const path of ENDPOINTS) {
      await expect.poll(() => client.logged()).toContain(`"GET ${path} HTTP/1.1" 200 `);
    }
    expect(client.logged()).not.toContain(SECRET);
  });

  it("also where one nginx has several of its configurations", async () => {
    const site = new RequestedSite();
    const ports = [await freePort(), await freePort()] as const;
    const { out } = site.bed;
    const client = await startNginx(
      (accessLog) => ports.map((port) => nginxConfig({ out, port, accessLog })).join("\n"),
      ports[1],
    );
    const body = "HTTP/1.1\r\nContent-Length: 9000000";
    // nginx waits some seconds for a body that it refuses.
    const large = (path: string) => `GET ${path}?preview_token=${SECRET} ${body}`;
    await attack(client, [...REQUESTS, [/^400/, large]]);
    await expect.poll(() => client.logged()).toContain(`GET ${ENDPOINTS[0]} HTTP/1.1`);
    expect(client.logged()).not.toContain(SECRET);
  });
});
