import { readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { apiHandler } from "../../src/server/api-handler.ts";
import { listen } from "../../src/server/listen.ts";
import { PublishedFiles } from "../../src/server/published-files.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { ENDPOINTS, type HttpClient, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { LARGE, SlowReader } from "./slow-reader.ts";

const FILM = heldAsset("film", "film.mp4", "film", "video/mp4");

let bed: TestBed;
beforeEach(() => {
  bed = new TestBed(
    smallWorkspace({
      entries: [page("home", "Home", { picture: { assetId: "film" } })],
      assets: [FILM.asset],
      files: new Map([FILM.file]),
    }),
  );
  bed.publish();
  writeFileSync(join(bed.out, FILM.path), Buffer.alloc(LARGE, "x"));
});

const GET = `GET ${ENDPOINTS[1]} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Sends a text and resets the connection before the first response. */
async function sendAndGo(url: string, text: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  const gone = new Promise((resolve) => socket.once("close", resolve));
  socket.write(text, () => socket.resetAndDestroy());
  await gone;
}

/** Counts open files, and those that were closed only by the garbage collector. */
function watchFiles() {
  const before = readdirSync("/dev/fd").length;
  const lost: string[] = [];
  const note = ({ message }: Error) =>
    void (/garbage collection/.test(message) && lost.push(message));
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  return { left: () => readdirSync("/dev/fd").length - before, lost };
}

/** Some connections may still be closing. */
const FEW = 4;

async function expectNoneLeft(server: HttpClient, { left, lost }: ReturnType<typeof watchFiles>) {
  // Each response gives the server time to clean up after earlier requests.
  for (let turn = 0; turn < 20 && left() > FEW; turn += 1) await server.request("/nowhere");
  expect(left()).toBeLessThanOrEqual(FEW);
  expect(lost).toEqual([]);
}

describe("files", () => {
  it("are closed after complete, partial, 304 and HEAD responses", async () => {
    const server = await serve(bed);
    await server.request(ENDPOINTS[1]);
    const files = watchFiles();
    for (const headers of [{}, { "If-None-Match": "*" }, { Range: "bytes=0-3" }]) {
      for (const method of ["GET", "HEAD"]) {
        for (let turn = 0; turn < 10; turn += 1)
          await server.request(ENDPOINTS[1], { method, headers });
      }
    }
    await expectNoneLeft(server, files);
  });

  it.each([1, 3])(
    "are closed when the client disconnects before %i responses",
    async (requests) => {
      const server = await serve(bed);
      await server.request(ENDPOINTS[1]);
      const files = watchFiles();
      for (let turn = 0; turn < 40; turn += 1) await sendAndGo(server.url, GET.repeat(requests));
      await expectNoneLeft(server, files);
    },
  );

  it("are closed when the client disconnects during a response", async () => {
    const server = await serve(bed);
    await server.request(`/${FILM.path}`, { method: "HEAD" });
    const files = watchFiles();
    const readers = Array.from({ length: 20 }, () =>
      SlowReader.request(server.url, `/${FILM.path}`),
    );
    for (const reader of await Promise.all(readers)) reader.close();
    await expectNoneLeft(server, files);
  });
});

describe("clients that disconnect", () => {
  it("neither crash the server nor make it report errors, whatever they sent", async () => {
    const server = await ServerProcess.start("serve", "--out", bed.out, "--json");
    const { client } = server;
    const connectRequest = "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n";
    for (const text of [
      GET,
      GET.repeat(5),
      `${GET}no HTTP\r\n\r\n`,
      "GET / HT",
      "no HTTP\r\n\r\n",
    ]) {
      for (let turn = 0; turn < 20; turn += 1) await sendAndGo(client.url, text);
    }
    for (let turn = 0; turn < 50; turn += 1) await sendAndGo(client.url, connectRequest);
    expect((await client.request(ENDPOINTS[0])).status).toBe(200);
    server.signal("SIGTERM");
    expect(await server.end()).toBe(0);
    expect(server.stderr).toBe("");
  });
});

describe("connections", () => {
  it("a malformed request does not write into the response to an earlier one", async () => {
    const server = await serve(bed);
    const reader = await SlowReader.request(server.url, `/${FILM.path}`);
    reader.send("no HTTP\r\n\r\n");
    for (let turn = 0; turn < 5; turn += 1) await server.request(ENDPOINTS[0]);
    const body = await reader.read(LARGE);
    expect(body.subarray(0, LARGE).equals(Buffer.alloc(body.length, "x"))).toBe(true);
  });

  it.each(["CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", "no HTTP\r\n\r\n"])(
    "a stopping server does not wait for a client that it has rejected: %j",
    async (text) => {
      const handler = apiHandler(new PublishedFiles(bed.out), undefined, () => {});
      const server = await listen(handler, { host: "127.0.0.1", port: 0 });
      const port = Number(new URL(server.url).port);
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => {});
      socket.write(text);
      const answer = await new Promise((resolve) => socket.once("data", resolve));
      expect(String(answer)).toMatch(/^HTTP\/1\.1 4/);
      await server.stop();
    },
  );
});
