import {
  request as ask,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { type Asked, answerFor, type Fault } from "./s3-faults.ts";

export type { Fault } from "./s3-faults.ts";

/** A request that went through. */
export interface Passed {
  readonly method: string;
  /** Of bucket and key, decoded, without the query. */
  readonly path: string;
}

/** A request that came, whatever became of it. */
export interface Logged extends Asked {
  /** What was answered; undefined when the connection was cut or given up. */
  status: number | undefined;
  /** By the clock of `performance.now()`, in milliseconds. */
  readonly at: number;
}

export interface S3Proxy {
  readonly endpoint: string;
  /** Every request that came, in order. */
  readonly log: readonly Logged[];
  /** Every request that reached the server behind, in order. */
  readonly passed: Passed[];
  /** The most requests that were under way at the same time. */
  readonly busiest: number;
  /** Those that passed and change something. */
  writes(): string[];
  /** Decides what becomes of each request. */
  fault: (request: Asked) => Fault;
  /** Hears the status that the server behind answered, before the client does. */
  onAnswer: (request: Passed, status: number) => void;
  /** Resolves when the server behind has answered all that it was asked. */
  settled(): Promise<void>;
}

/**
 * Stands between a client and an S3 server until the test ends, and makes trouble as it is told.
 * Requests pass as they are: their signature covers the proxy's own host name, which the server
 * takes for its own.
 */
export async function startProxy(server: string): Promise<S3Proxy> {
  const log: Logged[] = [];
  const passed: Passed[] = [];
  const onwards = new Set<Promise<void>>();
  let underWay = 0;
  let busiest = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const [path = "", query = ""] = url.split("?", 2);
    const asked = { method, path: decodeURIComponent(path), query, headers };
    const logged: Logged = { ...asked, status: undefined, at: performance.now() };
    log.push(logged);
    const fault = proxy.fault(asked);
    response.on("finish", () => {
      logged.status = response.statusCode;
    });
    if (fault === "cut") return void request.socket.destroy();
    if (typeof fault === "number" || (typeof fault === "object" && "status" in fault)) {
      const { status, headers: own, body } = answerFor(fault);
      for await (const _ of request);
      response.writeHead(status, own);
      return void response.end(method === "HEAD" ? "" : body);
    }
    if (typeof fault === "object" && "hold" in fault) {
      await (typeof fault.hold === "number" ? sleep(fault.hold) : fault.hold);
    }
    if (request.socket.destroyed) return;
    const known = { method, path: asked.path };
    passed.push(known);
    const onward = pass(new URL(server), request, response, fault, (status) =>
      proxy.onAnswer(known, status),
    );
    const closed = new Promise<void>((resolve) => onward.on("close", resolve));
    onwards.add(closed);
    void closed.then(() => onwards.delete(closed));
  }

  const http = createServer((request, response) => {
    underWay += 1;
    busiest = Math.max(busiest, underWay);
    response.on("close", () => {
      underWay -= 1;
    });
    // Whoever asked has gone.
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  const proxy: S3Proxy = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    log,
    passed,
    get busiest() {
      return busiest;
    },
    writes: () =>
      passed
        .filter(({ method }) => ["PUT", "POST", "DELETE"].includes(method))
        .map(({ method, path }) => `${method} ${path}`),
    fault: () => undefined,
    onAnswer: () => {},
    async settled() {
      while (onwards.size > 0) await Promise.all(onwards);
    },
  };
  return proxy;
}

/** Hands a request on and its answer back, or less of them. */
function pass(
  server: URL,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  onAnswer: (status: number) => void,
): ClientRequest {
  const { hostname, port } = server;
  const { method, url: path, headers } = request;
  const cut = () => request.socket.destroy();
  const onward = ask({ hostname, port, method, path, headers }, (answer) => {
    onAnswer(answer.statusCode ?? 0);
    answer.on("error", cut);
    if (fault === "cut-late") return void answer.resume().on("end", cut);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (typeof fault === "object" && "cutAnswer" in fault) {
      limited(answer, fault.cutAnswer, (chunk) => void response.write(chunk), cut);
    } else answer.pipe(response);
  });
  onward.on("error", cut);
  // What one side gives up in the middle, the other must not wait for.
  request.on("close", () => request.complete || onward.destroy());
  if (typeof fault === "object" && "cutBody" in fault) {
    limited(request, fault.cutBody, (chunk) => void onward.write(chunk), cut);
  } else request.pipe(onward);
  return onward;
}

/** The first bytes of a stream; then the end. */
function limited(
  stream: IncomingMessage,
  bytes: number,
  take: (chunk: Buffer) => void,
  end: () => void,
): void {
  let left = bytes;
  stream.on("data", (chunk: Buffer) => {
    if (left > 0) take(chunk.subarray(0, left));
    left -= chunk.length;
    // What was taken is to arrive first.
    if (left <= 0) setTimeout(end, 20);
  });
  stream.on("end", end);
}
