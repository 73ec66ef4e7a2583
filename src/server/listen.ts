import { createServer, type RequestListener, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { problemDocument } from "../documents/problem-document.ts";
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
  const server = createServer(handler);
  server.on("clientError", refuseUnreadable);
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
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const { status, text } =
    error.code === "HPE_HEADER_OVERFLOW"
      ? problemDocument("bad-request", TOO_LONG)
      : problemDocument("bad-request");
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Access-Control-Allow-Origin: *",
      "Cache-Control: no-store",
      "Connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}

const TOO_LONG = {
  status: 431,
  title: "Request Header Fields Too Large",
  detail: "The address or the headers are too long.",
};
