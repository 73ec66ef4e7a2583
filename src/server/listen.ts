import { createServer, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { problemDocument, TOO_LONG } from "../http/problem-document.ts";
import { ALLOWED_METHODS, COMMON_HEADERS } from "../http/published-headers.ts";
import { SvcError } from "../workspace/errors.ts";

export interface RunningServer {
  /** Its address, without a final slash: `http://127.0.0.1:4400`. */
  readonly url: string;
  /** Takes no new requests, lets those under way end, then closes. */
  stop(): Promise<void>;
}

/** How long requests under way may take once the server stops, in milliseconds. */
const GRACE = 5000;

/**
 * Starts a server.
 *
 * @param port 0 takes a free one.
 * @throws SvcError `port-in-use`, `port-denied`, `host-unknown`.
 */
export async function listen(
  handler: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<RunningServer> {
  // A request without Host, or that expects what we do not do, is answered like any other (H4).
  const server = createServer({ requireHostHeader: false }, handler);
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const underWay = new Map<Duplex, ServerResponse>();
  server.prependListener("request", ({ socket }, response) => {
    underWay.set(socket, response);
    response.once("close", () => {
      if (underWay.get(socket) === response) underWay.delete(socket);
      // Once the server stops, no connection waits for a further request.
      if (!server.listening) server.closeIdleConnections();
    });
  });
  server.on("connect", (_request, socket) => refuse(socket, problemDocument("method-not-allowed")));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = underWay.get(socket);
    // What is under way before the unreadable request is not mixed with the answer to it.
    if (answer !== undefined) answer.once("close", () => socket.destroy());
    else if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else refuse(socket, unreadable(error.code));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `http://${name}:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        const impatience = setTimeout(() => server.closeAllConnections(), GRACE);
        server.close(() => {
          clearTimeout(impatience);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (error.code) {
    case "EADDRINUSE":
      return new SvcError("port-in-use", `port ${port} of ${host} is in use`, {
        hint: "stop the other program, or choose another port with --port (0 takes a free one)",
      });
    case "EACCES":
      return new SvcError("port-denied", `port ${port} of ${host} may not be used`, {
        hint: "choose a port from 1024 up with --port",
      });
    case "ENOTFOUND":
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
      return new SvcError("host-unknown", `"${host}" is no address of this machine`, {
        hint: "use --host 127.0.0.1, or 0.0.0.0 for every address",
      });
    default:
      return error;
  }
}

/** What cannot be read as HTTP, or is too long, still gets a problem document (H4). */
function unreadable(code: string | undefined): ReturnType<typeof problemDocument> {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return problemDocument("bad-request", TOO_LONG);
    case "HPE_INVALID_METHOD":
      return problemDocument("method-not-allowed");
    default:
      return problemDocument("bad-request");
  }
}

/** Answers where Node has made no response. */
function refuse(socket: Duplex, { status, text }: ReturnType<typeof problemDocument>): void {
  const headers = {
    ...COMMON_HEADERS,
    "Content-Type": "application/problem+json",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    ...(status === 405 && { Allow: ALLOWED_METHODS }),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  // The client may be gone already, or may never hang up by itself.
  socket.on("error", () => {});
  socket.end([start, ...lines, "", text].join("\r\n"), () => socket.destroy());
}
