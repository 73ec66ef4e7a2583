import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { problemDocument, TOO_LONG, TOO_SLOW } from "../http/problem-document.ts";
import { ALLOWED_METHODS, COMMON_HEADERS, PROBLEM_TYPE } from "../http/published-headers.ts";
import { SvcError } from "../workspace/errors.ts";

/** H11: what the clients of a server may use of it. Times are in milliseconds. */
export interface Limits {
  /** Open connections; further ones are closed at once. */
  readonly connections: number;
  /** H11a: open connections of one client address, where others than this machine can connect. */
  readonly connectionsPerAddress: number;
  /** Of the request line and all headers of a request. */
  readonly headerBytes: number;
  /** From the first byte of a request until its headers are complete. */
  readonly headersTimeout: number;
  /** From the first byte of a request until its body is complete. */
  readonly requestTimeout: number;
  /** Between two requests on a connection. */
  readonly keepAliveTimeout: number;
  /** Without a byte in either direction, before a request or during a response. */
  readonly idleTimeout: number;
}

export const LIMITS: Limits = {
  connections: 1000,
  connectionsPerAddress: 250,
  headerBytes: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  idleTimeout: 60_000,
};

export interface RunningServer {
  /** Its address, without a final slash: `http://127.0.0.1:4400`. */
  readonly url: string;
  /** Accepts no new requests, waits for the pending ones, then closes. */
  stop(): Promise<void>;
}

/** How long pending requests may take once the server stops, in milliseconds. */
const GRACE_PERIOD = 5000;

/**
 * Starts a server.
 *
 * @param port 0 picks a free port.
 * @throws SvcError `port-in-use`, `port-denied`, `host-unknown`.
 */
export async function listen(
  handler: RequestListener,
  { host, port, limits = LIMITS }: { host: string; port: number; limits?: Limits },
): Promise<RunningServer> {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = limits;
  const options = {
    // H4: Node itself would reject requests without Host, without our body.
    requireHostHeader: false,
    maxHeaderSize: limits.headerBytes,
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: headersTimeout / 4,
  };
  const server = createServer(options, handler);
  server.maxConnections = limits.connections;
  // H4: Node would refuse an unknown Expect.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const pending = new Map<Duplex, ServerResponse>();
  server.prependListener("request", ({ socket }, response) => {
    pending.set(socket, response);
    response.once("close", () => {
      if (pending.get(socket) === response) pending.delete(socket);
      // A stopping server keeps no connection alive.
      if (!server.listening) server.closeIdleConnections();
    });
  });
  server.setTimeout(limits.idleTimeout, (socket) => {
    // A response may take long to begin.
    const response = pending.get(socket);
    if (response === undefined || response.headersSent) socket.destroy();
  });
  server.on("connect", (_request, socket) => refuse(socket, problemDocument("method-not-allowed")));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A browser opens connections ahead, and a busy server reads late: without a byte there is nothing to
    // refuse yet, and the connection is closed when it stays idle.
    const isUnread = "bytesRead" in socket && socket.bytesRead === 0;
    if (isUnread && error.code === "ERR_HTTP_REQUEST_TIMEOUT") return;
    const response = pending.get(socket);
    // Never write into the response to an earlier request on the same connection.
    if (response !== undefined) response.once("close", () => socket.destroy());
    else if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else refuse(socket, parseErrorProblem(error.code));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { address, family, port: boundPort } = server.address() as AddressInfo;
  if (!/^(?:127\.|::1$)/.test(address)) limitAddresses(server, limits.connectionsPerAddress);
  const name = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `http://${name}:${boundPort}`,
    stop: () =>
      new Promise((resolve) => {
        const deadline = setTimeout(() => server.closeAllConnections(), GRACE_PERIOD);
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** H11a: closes connections of an address that has as many already. */
function limitAddresses(server: Server, limit: number): void {
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const from = networkOf(socket.remoteAddress ?? "");
    const count = (open.get(from) ?? 0) + 1;
    if (count > limit) return void socket.destroy();
    open.set(from, count);
    socket.once("close", () => {
      const left = (open.get(from) ?? 0) - 1;
      if (left > 0) open.set(from, left);
      else open.delete(from);
    });
  });
}

/** The address of an IPv4 client; of an IPv6 client its network (/64), all of which is one client's. */
export function networkOf(address: string): string {
  if (address.includes(".")) return address.slice(address.lastIndexOf(":") + 1);
  const [head = "", tail = ""] = address.split("::");
  const [first, last] = [head, tail].map((part) => part.split(":").filter(Boolean));
  const zeros = Array(Math.max(0, 8 - (first?.length ?? 0) - (last?.length ?? 0))).fill("0");
  return [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(":");
}

/**
 * H16: listens for a moment, so that an address that is in use is reported before other work.
 *
 * @throws SvcError as `listen`.
 */
export async function assertCanListen(address: { host: string; port: number }): Promise<void> {
  const server = await listen(() => {}, address);
  await server.stop();
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (error.code) {
    case "EADDRINUSE":
      return new SvcError("port-in-use", `port ${port} of ${host} is in use`, {
        hint: "stop the other program, or choose another port with --port (0 picks a free one)",
      });
    case "EACCES":
      return new SvcError("port-denied", `no permission to listen on port ${port} of ${host}`, {
        hint: "choose a port of 1024 or higher with --port",
      });
    case "ENOTFOUND":
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
      return new SvcError("host-unknown", `"${host}" is not an address of this machine`, {
        hint: "use --host 127.0.0.1, or --host 0.0.0.0 to listen on every address",
      });
    default:
      return error;
  }
}

/** H4: requests that cannot be parsed, or are too long or too slow, get a problem document too. */
function parseErrorProblem(code: string | undefined): ReturnType<typeof problemDocument> {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return problemDocument("bad-request", TOO_LONG);
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return problemDocument("bad-request", TOO_SLOW);
    case "HPE_INVALID_METHOD":
      return problemDocument("method-not-allowed");
    default:
      return problemDocument("bad-request");
  }
}

/** Responds on a bare socket, where Node provides no response object. */
function refuse(socket: Duplex, { status, text }: ReturnType<typeof problemDocument>): void {
  const headers = {
    ...COMMON_HEADERS,
    "Content-Type": PROBLEM_TYPE,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    ...(status === 405 && { Allow: ALLOWED_METHODS }),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  // The client may be gone already, or may never close the connection.
  socket.on("error", () => {});
  socket.end([start, ...lines, "", text].join("\r\n"), () => socket.destroy());
}
