import { connect } from "node:net";
import { expect, onTestFinished } from "vitest";
import { apiHandler } from "../../../src/server/api-handler.ts";
import { listen } from "../../../src/server/listen.ts";
import type { Live } from "../../../src/server/live.ts";
import { PublishedFiles } from "../../../src/server/published-files.ts";
import type { TestBed } from "../test-bed.ts";
import { ownerOf } from "./owner-of.ts";

/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The parts of a request beside its path. */
export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** One URL path of each endpoint, for `smallWorkspace`. */
export const ENDPOINTS = [
  "/api/v1/projects/site",
  "/api/v1/projects/site/schema",
  "/api/v1/projects/site/experiences/home/content",
] as const;

/** Sends requests to a server, each over its own connection. */
export class HttpClient {
  /** The origin, without a trailing slash. */
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** A request by `fetch`, which normalises URLs: use `target` for others. */
  async request(path: string, { headers = {}, ...init }: HttpRequest = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      ...init,
      headers: { ...headers, Connection: "close" },
      redirect: "manual",
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** A request whose target is sent unchanged, one byte per character. */
  async target(target: string, { method = "GET", headers = {}, body = "" }: HttpRequest = {}) {
    const lines = Object.entries({ Host: "localhost", Connection: "close", ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return answerOf(await this.raw(`${method} ${target} HTTP/1.1\r\n${head}\r\n${body}`));
  }

  /** Sends text, one byte per character, and reads until the server closes the connection. */
  raw(text: string): Promise<string> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      let received = "";
      const socket = connect({ host: hostname, port: Number(port) });
      socket.setEncoding("latin1");
      socket.on("data", (piece) => {
        received += piece;
      });
      // The server may close the connection before it has read everything.
      socket.on("error", (error) => (received === "" ? reject(error) : resolve(received)));
      socket.on("close", () => resolve(received));
      socket.write(text, "latin1");
    });
  }
}

/** Parses a response read from a socket. The body stays one character per byte. */
export function answerOf(received: string): Answer {
  const [head = "", ...rest] = received.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? [];
  if (status === undefined) throw new Error(`not an HTTP response: ${JSON.stringify(received)}`);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return { status: Number(status), headers, text: rest.join("\r\n\r\n") };
}

/**
 * Serves a test bed until the test ends; fails the test if the server had an internal error.
 *
 * @param live what tells of changes; undefined: the preview has no events
 * @param beforeAnswer what the owner of the draft does before it says what has changed
 */
export async function serve(
  bed: TestBed,
  {
    preview = true,
    mayFail = false,
    live,
    beforeAnswer = async () => {},
  }: {
    preview?: boolean;
    mayFail?: boolean;
    live?: Live;
    beforeAnswer?: () => Promise<void>;
  } = {},
): Promise<HttpClient> {
  const defects: unknown[] = [];
  const onDefect = (error: unknown) => void defects.push(error);
  const owner = ownerOf(bed.store);
  const changes = owner.changes.bind(owner);
  owner.changes = async (...asked) => {
    await beforeAnswer();
    return changes(...asked);
  };
  const handler = apiHandler(
    new PublishedFiles(bed.out),
    preview ? { owner, live } : undefined,
    onDefect,
  );
  const server = await listen(handler, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await server.stop();
    if (!mayFail) expect(defects).toEqual([]);
  });
  return new HttpClient(server.url);
}

/** H4, H1: the problem document of a response, which must be readable from any origin. */
export function problemOf({ status, headers, text }: Answer) {
  expect(headers.get("Content-Type")).toBe("application/problem+json");
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  const problem = JSON.parse(text);
  expect(Object.keys(problem).sort()).toEqual(["code", "detail", "status", "title", "type"]);
  expect(problem.status).toBe(status);
  return problem as { code: string; detail: string; status: number; title: string; type: string };
}

/** Status and code of a problem document, such as "404 project-not-found". */
export function refusal(answer: Answer): string {
  return `${answer.status} ${problemOf(answer).code}`;
}
