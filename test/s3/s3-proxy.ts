import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listening } from "../support/server/listening.ts";
import { type Fault, responseFor, type S3Request } from "./s3-faults.ts";

export type { Fault } from "./s3-faults.ts";

export interface S3Proxy {
  readonly endpoint: string;
  /** Every received request, in order. */
  readonly log: readonly S3Request[];
  /** The highest number of concurrent requests. */
  readonly maxConcurrent: number;
  /** The forwarded requests that write, as `PUT /bucket/key`. */
  readonly writes: readonly string[];
  /** Called for each request. */
  fault: (request: S3Request) => Fault;
}

/**
 * A proxy between a client and an S3 server that injects faults, until the test ends. Requests are
 * forwarded unchanged: their signature covers the proxy's host name, which the server accepts.
 */
export async function startProxy(server: string): Promise<S3Proxy> {
  const log: S3Request[] = [];
  const writes: string[] = [];
  let concurrent = 0;
  let maxConcurrent = 0;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const [path = "", query = ""] = url.split("?", 2);
    const received = { method, path: decodeURIComponent(path), query, headers };
    log.push(received);
    const fault = proxy.fault(received);
    if (fault === "cut") return void request.socket.destroy();
    if (typeof fault === "number" || (typeof fault === "object" && "status" in fault)) {
      const { status, headers: own, body } = responseFor(fault);
      for await (const _ of request);
      response.writeHead(status, own);
      return void response.end(method === "HEAD" ? "" : body);
    }
    if (typeof fault === "object" && "hold" in fault) {
      await (typeof fault.hold === "number" ? sleep(fault.hold) : fault.hold);
    }
    if (request.socket.destroyed) return;
    if (/^(?:PUT|POST|DELETE)$/.test(method)) writes.push(`${method} ${received.path}`);
    forward(new URL(server), request, response, fault);
  }

  const http = createServer((request, response) => {
    concurrent += 1;
    maxConcurrent = Math.max(maxConcurrent, concurrent);
    response.on("close", () => {
      concurrent -= 1;
    });
    // The client has disconnected.
    respond(request, response).catch(() => request.socket.destroy());
  });
  const proxy: S3Proxy = {
    endpoint: await listening(http),
    log,
    writes,
    get maxConcurrent() {
      return maxConcurrent;
    },
    fault: () => undefined,
  };
  return proxy;
}

/** Forwards a request and its response, complete or up to the fault. */
function forward(
  server: URL,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
): void {
  const { hostname, port } = server;
  const { method, url: path, headers } = request;
  const cut = () => request.socket.destroy();
  const upstream = sendRequest({ hostname, port, method, path, headers }, (incoming) => {
    incoming.on("error", cut);
    if (fault === "cut-late") return void incoming.resume().on("end", cut);
    response.writeHead(incoming.statusCode ?? 502, incoming.headers);
    if (typeof fault === "object" && "cutResponse" in fault) {
      passFirst(incoming, fault.cutResponse, (chunk) => void response.write(chunk), cut);
    } else incoming.pipe(response);
  });
  upstream.on("error", cut);
  // A client that disconnects must not leave the server waiting.
  request.on("close", () => request.complete || upstream.destroy());
  if (typeof fault === "object" && "cutBody" in fault) {
    passFirst(request, fault.cutBody, (chunk) => void upstream.write(chunk), cut);
  } else request.pipe(upstream);
}

/** Passes on the first bytes of a stream, then ends. */
function passFirst(
  stream: IncomingMessage,
  bytes: number,
  write: (chunk: Buffer) => void,
  end: () => void,
): void {
  let left = bytes;
  stream.on("data", (chunk: Buffer) => {
    if (left > 0) write(chunk.subarray(0, left));
    left -= chunk.length;
    // The bytes must arrive before the connection is cut.
    if (left <= 0) setTimeout(end, 20);
  });
  stream.on("end", end);
}
