import { connect } from "node:net";
import type { Ending } from "./odd-requests.ts";

/** How long a server may think before the client hangs up its side, and at most, in milliseconds. */
const LULL = 150;
const LIMIT = 5000;

/**
 * Sends text as it stands, one byte a character, ends as told, and hears until the server hangs
 * up too. A connection that stays open after that is a hang, and an error.
 */
export function converse(url: string, text: string, ending: Ending): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let heard = "";
    const socket = connect({ host: hostname, port: Number(port) });
    const limit = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open; heard: ${JSON.stringify(heard)}`));
    }, LIMIT);
    let lull: NodeJS.Timeout | undefined;
    const listenOn = () => {
      clearTimeout(lull);
      lull = setTimeout(() => socket.end(), LULL);
    };
    socket.setEncoding("latin1");
    socket.on("data", (piece) => {
      heard += piece;
      listenOn();
    });
    // A server may hang up before it has read all: what it said counts.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(lull);
      clearTimeout(limit);
      resolve(heard);
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

/** One answer of a connection, its body one character a byte. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * The answers that were heard, one after the other. What is no HTTP is an error; an answer that the
 * client did not stay for may be cut off at its end.
 */
export function answersIn(heard: string, mayBeCut: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = heard; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0 && mayBeCut) return answers;
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const [, status] = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]+$/.exec(first) ?? [];
    if (end < 0 || status === undefined) throw new Error(`no HTTP: ${JSON.stringify(rest)}`);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const [, name, value] = /^([A-Za-z-]+): ([\x20-\x7e]*)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`no header: ${JSON.stringify(line)}`);
      if (headers.has(name.toLowerCase())) throw new Error(`header twice: ${line}`);
      headers.set(name.toLowerCase(), value as string);
    }
    const after = rest.slice(end + 4);
    const length = Number(headers.get("content-length") ?? 0);
    // An answer to HEAD tells the length of a body that it has not.
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
