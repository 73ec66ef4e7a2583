import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { LIMITS, listen } from "../../src/server/listen.ts";
import { MAX_EVENT_STREAMS } from "../../src/server/live-events.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { answerOf, HttpClient, refusal, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** Short limits, so that a test need not wait for long. */
const SHORT = { ...LIMITS, headersTimeout: 200, requestTimeout: 400, idleTimeout: 400 };

async function listening(limits: Partial<typeof LIMITS> = {}) {
  const handler: Parameters<typeof listen>[0] = (request, response) => {
    if (request.url === "/slow") return void setTimeout(() => response.end("late"), 1000);
    response.write("begun");
    if (request.url !== "/unfinished") response.end();
  };
  const address = { host: "127.0.0.1", port: 0 };
  const server = await listen(handler, { ...address, limits: { ...SHORT, ...limits } });
  onTestFinished(() => server.stop());
  return new HttpClient(server.url);
}

/** A connection with what it received, until the server closes it. */
function connection(url: string): { socket: Socket; closed: Promise<string> } {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.setEncoding("latin1").on("data", (text) => {
    received += text;
  });
  socket.on("error", () => {});
  return {
    socket,
    closed: new Promise((resolve) => socket.once("close", () => resolve(received))),
  };
}

/** The size of the heap without garbage, in bytes. */
function heapSize(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

const MEGABYTE = 1024 * 1024;

describe("H11: what a client takes too long for", () => {
  it("H11: headers and bodies that arrive byte by byte end with 408", async () => {
    const { url } = await listening();
    for (const start of ["GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: a\r\n\r\n"]) {
      const { socket, closed } = connection(url);
      socket.write(start.replace("\r\n\r\n", "\r\nContent-Length: 99\r\nX: "));
      const drip = setInterval(() => socket.write("a"), 20);
      const received = await closed;
      clearInterval(drip);
      expect(refusal(answerOf(received))).toBe("408 bad-request");
    }
  });

  it("H11: connections without a request, and readers that stop, are closed", async () => {
    const { url } = await listening();
    const idle = connection(url);
    const stopped = connection(url);
    stopped.socket.write("GET /unfinished HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await idle.closed).toBe("");
    expect(await stopped.closed).toContain("begun");
  });

  it("H11: a response may take longer than that to begin", async () => {
    const server = await listening();
    expect(await server.raw("GET /slow HTTP/1.0\r\n\r\n")).toContain("late");
  });

  it("H11: longer headers are refused", async () => {
    const server = await listening();
    const headers = { Long: "x".repeat(LIMITS.headerBytes) };
    expect(refusal(await server.target("/", { headers }))).toBe("431 bad-request");
  });
});

describe("H11: how much clients may open", () => {
  it("H11: of 2,000 connections those beyond the limit are closed, and then it serves on", async () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    const server = await ServerProcess.start("serve", "--out", bed.out, "--json");
    const { url } = server.client;
    let closed = 0;
    const all: Socket[] = [];
    // More at once would fill the queue of the operating system.
    while (all.length < 2000) {
      const some = Array.from({ length: 100 }, () => connection(url));
      for (const one of some) void one.closed.then(() => (closed += 1));
      await Promise.all(some.map(({ socket }) => once(socket, "connect")));
      all.push(...some.map(({ socket }) => socket));
    }
    await expect.poll(() => closed).toBe(2000 - LIMITS.connections);
    for (const socket of all) socket.destroy();
    await expect
      .poll(() =>
        server.client.request("/nowhere").then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(404);
    server.signal("SIGTERM");
    expect(await server.end()).toBe(0);
  });
});

it("H11: the documentation names the limits", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/preview.md"), "utf8");
  const values = [...text.matchAll(/^\| [^|]+ \| ([\d,]+)(?: (?:s|KiB))? \|/gm)];
  expect(values.map(([, value = ""]) => Number(value.replace(",", "")))).toEqual([
    LIMITS.connections,
    LIMITS.connectionsPerAddress,
    LIMITS.headerBytes / 1024,
    LIMITS.headersTimeout / 1000,
    LIMITS.requestTimeout / 1000,
    LIMITS.keepAliveTimeout / 1000,
    LIMITS.idleTimeout / 1000,
    MAX_EVENT_STREAMS,
    64,
  ]);
});

describe("H11: memory stays flat", () => {
  it("H11: for random addresses, hosts and tokens", async () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    const { url } = await serve(bed);
    let made = 0;
    const requests = async (count: number) => {
      const { socket, closed } = connection(url);
      for (let at = 0; at < count; at += 1) {
        made += 1;
        const name = `${made}-${"x".repeat(500)}`;
        const path = [
          `/api/v1/projects/${name}`,
          `/api/v1/projects/site?preview_token=${name}`,
          `/assets/0123456789abcdef/${name}`,
          `/${name}`,
        ][at % 4];
        const end = at === count - 1 ? "Connection: close\r\n" : "";
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: ${name}.localhost\r\nIf-None-Match: "${name}"\r\n${end}\r\n`,
        );
      }
      return (await closed).match(/HTTP\/1\.1 40[14] /g)?.length;
    };
    expect(await requests(2000)).toBe(2000);
    const before = heapSize();
    for (let round = 0; round < 2; round += 1) expect(await requests(2000)).toBe(2000);
    // The requests are 6 MB.
    expect(heapSize() - before).toBeLessThan(2 * MEGABYTE);
  });
});
