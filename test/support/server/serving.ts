import { connect } from "node:net";
import { expect, onTestFinished } from "vitest";
import { apiHandler } from "../../../src/server/api-handler.ts";
import { DraftRenderings } from "../../../src/server/draft-renderings.ts";
import { listen } from "../../../src/server/listen.ts";
import { Preview } from "../../../src/server/preview.ts";
import { PublishedFiles } from "../../../src/server/published-files.ts";
import type { TestBed } from "../test-bed.ts";

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The addresses of the documents of `smallWorkspace`: one of each of the three endpoints. */
export const ENDPOINTS = [
  "/api/v1/projects/site",
  "/api/v1/projects/site/schema",
  "/api/v1/projects/site/experiences/home/content",
] as const;

/** Asks a server, each time over a connection of its own. */
export class Asker {
  /** Without a final slash. */
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** An ordinary request. `fetch` normalises the address: use `target` for odd ones. */
  async ask(path: string, { headers = {}, ...init }: Asking = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      ...init,
      headers: { ...headers, Connection: "close" },
      redirect: "manual",
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** A request for a target that is sent as it stands, one byte a character. */
  async target(target: string, { method = "GET", headers = {}, body = "" }: Asking = {}) {
    const lines = Object.entries({ Host: "localhost", Connection: "close", ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return answerOf(await this.raw(`${method} ${target} HTTP/1.1\r\n${head}\r\n${body}`));
  }

  /** Sends text as it stands, one byte a character, and hears until the server hangs up. */
  raw(text: string): Promise<string> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      let heard = "";
      const socket = connect({ host: hostname, port: Number(port) });
      socket.setEncoding("latin1");
      socket.on("data", (piece) => {
        heard += piece;
      });
      // A server may hang up before it has read all: what it said counts.
      socket.on("error", (error) => (heard === "" ? reject(error) : resolve(heard)));
      socket.on("close", () => resolve(heard));
      socket.write(text, "latin1");
    });
  }
}

/** Takes an answer apart that was heard on a socket. The text stays one character a byte. */
export function answerOf(heard: string): Answer {
  const [head = "", ...rest] = heard.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? [];
  if (status === undefined) throw new Error(`no HTTP answer: ${JSON.stringify(heard)}`);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return { status: Number(status), headers, text: rest.join("\r\n\r\n") };
}

/** Serves a test bed until the test ends, and fails the test if the server itself failed. */
export async function serve(
  bed: TestBed,
  { preview = true, mayFail = false }: { preview?: boolean; mayFail?: boolean } = {},
): Promise<Asker> {
  const defects: unknown[] = [];
  const handler = apiHandler(
    new PublishedFiles(bed.out),
    preview ? new Preview(bed.store, new DraftRenderings(bed.store)) : undefined,
    (error) => defects.push(error),
  );
  const server = await listen(handler, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await server.stop();
    if (!mayFail) expect(defects).toEqual([]);
  });
  return new Asker(server.url);
}

/** H4, H1: the problem document of an answer, which must be one and readable from any origin. */
export function problemOf({ status, headers, text }: Answer) {
  expect(headers.get("Content-Type")).toBe("application/problem+json");
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  const problem = JSON.parse(text);
  expect(Object.keys(problem).sort()).toEqual(["code", "detail", "status", "title", "type"]);
  expect(problem.status).toBe(status);
  return problem as { code: string; detail: string; status: number; title: string; type: string };
}

/** The status of an answer that is a problem document, and its code. */
export function refusal(answer: Answer): string {
  return `${answer.status} ${problemOf(answer).code}`;
}
