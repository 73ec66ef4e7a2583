import { connect } from "node:net";
import type { Ending } from "./odd-requests.ts";

/** After this time without data the client ends its side, in milliseconds. */
const IDLE = 150;
/** How long a connection may stay open, in milliseconds. */
const LIMIT = 5000;

/**
 * Sends text, one byte per character, ends the connection as given, and reads until the server
 * closes it. Rejects if the server keeps it open.
 */
export function converse(url: string, text: string, ending: Ending): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect({ host: hostname, port: Number(port) });
    const limit = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open; received: ${JSON.stringify(received)}`));
    }, LIMIT);
    let idle: NodeJS.Timeout | undefined;
    const listenOn = () => {
      clearTimeout(idle);
      idle = setTimeout(() => socket.end(), IDLE);
    };
    socket.setEncoding("latin1");
    socket.on("data", (piece) => {
      received += piece;
      listenOn();
    });
    // The server may close the connection before it has read everything.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(idle);
      clearTimeout(limit);
      resolve(received);
    });
    const last = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const sent = ending === "stops short" ? text.slice(0, text.length >> 1) : text;
    socket.write(ending === "asks" ? sent + last : sent, "latin1", () => {
      if (ending === "resets") socket.resetAndDestroy();
      else if (ending === "half-closes") socket.end();
      else listenOn();
    });
  });
}

/** One response on a connection; the body has one character per byte. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Parses consecutive responses.
 *
 * @param mayBeCut whether the last response may be incomplete.
 * @throws Error if the text is not HTTP.
 */
export function answersIn(received: string, mayBeCut: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0 && mayBeCut) return answers;
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const [, status] = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]+$/.exec(first) ?? [];
    if (end < 0 || status === undefined) throw new Error(`not HTTP: ${JSON.stringify(rest)}`);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const [, name, value] = /^([A-Za-z-]+): ([\x20-\x7e]*)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`not a header: ${JSON.stringify(line)}`);
      if (headers.has(name.toLowerCase())) throw new Error(`duplicate header: ${line}`);
      headers.set(name.toLowerCase(), value as string);
    }
    const after = rest.slice(end + 4);
    const length = Number(headers.get("content-length") ?? 0);
    // A response to HEAD has a Content-Length without a body.
    const isBodiless = after === "" || after.startsWith("HTTP/1.1 ");
    if (!isBodiless && after.length < length && !mayBeCut) {
      throw new Error(`a body of ${after.length} bytes instead of ${length}`);
    }
    const body = isBodiless ? "" : after.slice(0, length);
    answers.push({ status: Number(status), headers, body });
    rest = after.slice(body.length);
  }
  return answers;
}
