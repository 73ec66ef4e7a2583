import { connect } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server/server-process.ts";
import { ENDPOINTS, type HttpClient, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { runs, timeFor } from "./fuzzing.ts";

/** Unusual and malformed parts of requests; one byte per character. */
const METHODS: readonly string[] = [
  "GET",
  "GET",
  "GET",
  "GET",
  "HEAD",
  "OPTIONS",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "TRACE",
  "CONNECT",
  "PRI",
  "PROPFIND",
  "get",
  "",
  "G\0T",
  "GET GET",
  "\xff",
  "M".repeat(5000),
];

const PIECES: readonly string[] = [
  "/",
  "//",
  "\\",
  ".",
  "..",
  "%2e",
  "%2E%2e",
  "%2f",
  "%5c",
  "%00",
  "%ff",
  "%C3%28",
  "%",
  "%zz",
  "?",
  "&",
  "=",
  "#",
  ";",
  ":",
  "@",
  "*",
  " ",
  "\t",
  "\0",
  "\x7f",
  "\xe9",
  "+",
  "%0d%0a",
  "%25",
  "api",
  "v1",
  "projects",
  "site",
  "schema",
  "experiences",
  "home",
  "content",
  "assets",
  "out",
  "0123456789abcdef",
  "workspace.db",
  "manifest.json",
  "404.json",
  "index.json",
  "__proto__",
  "http://",
  "https://x",
  "localhost",
  "preview_token",
  "preview_token=",
  "?preview_token=t",
  "a".repeat(300),
  "/a".repeat(3000),
  "x".repeat(20_000),
  "%41".repeat(5000),
];

/** `$TOKEN` and `$ASSET` stand for a valid token and the address of a published asset. */
const QUERIES: readonly string[] = [
  "",
  "",
  "?",
  "?preview_token",
  "?preview_token=",
  "?preview_token=wrong",
  "?x=1",
  "?preview_token=$TOKEN",
  "?preview_token=$TOKEN&preview_token=$TOKEN",
  "?PREVIEW_TOKEN=$TOKEN",
  "?preview_token=$TOKEN%00",
  "?preview_token=%$TOKEN",
  "?preview%5ftoken=$TOKEN",
  "?&&preview_token=%ff",
  "?preview_token[]=$TOKEN",
  "?preview_token=$TOKEN#",
  ";preview_token=$TOKEN",
  `?preview_token=${"t".repeat(9000)}`,
];

const HEADERS: readonly string[] = [
  "Host: localhost",
  "Host:",
  "Host: a\r\nHost: b",
  "Host: \xff",
  "Host: $TOKEN",
  `Host: ${"h".repeat(3000)}`,
  "Range: bytes=0-",
  "Range: bytes=-1",
  "Range: bytes=5-2",
  "Range: bytes=0-0,2-3",
  "Range: bytes=x",
  "Range: lines=1",
  "Range: bytes=99999999999999999999-",
  "Range: bytes=0-99999999999999999999",
  "Range: bytes=-0",
  "Range: bytes=--1",
  "If-None-Match: *",
  'If-None-Match: W/"x", "',
  `If-None-Match: ${'"a",'.repeat(2000)}`,
  "If-None-Match: \0",
  'If-Range: "x"',
  "If-Range: Sat, 21 Nov 2026 09:00:00 GMT",
  "If-Modified-Since: x",
  "If-Match: *",
  "Connection: close",
  "Connection: keep-alive, Upgrade\r\nUpgrade: websocket",
  "Connection: \xff",
  "Upgrade: h2c",
  "Content-Length: 0",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 5\r\nContent-Length: 6",
  "Content-Length: x",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: x",
  "Trailer: x",
  "TE: trailers",
  "Expect: 100-continue",
  "Expect: x",
  "Accept-Encoding: gzip, br",
  "Accept: text/html",
  "Origin: null",
  "no colon",
  ": no name",
  "X Y: z",
  " folded: line",
  "X:\ty\r\n\tz",
  "__proto__: x",
  "constructor: y",
  "X: \x01",
  `X: ${"x".repeat(20_000)}`,
  `${"X: y\r\n".repeat(3000)}Z: z`,
  `${"n".repeat(20_000)}: x`,
];

const BODIES: readonly string[] = [
  "",
  "",
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "ffffffffff\r\n",
  "0\r\n\r\n",
  "\0".repeat(100),
];

const VERSIONS: readonly string[] = [
  ..."123456".split("").map(() => "HTTP/1.1"),
  "HTTP/1.0",
  "HTTP/2.0",
  "HTTP/0.9",
  "http/1.1",
  "",
];

const targets = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ENDPOINTS, "$ASSET", "/"), fc.constantFrom(...QUERIES))
    .map((parts) => parts.join("")),
  fc
    .tuple(
      fc.constantFrom("/", "", "/api/v1/projects/", "/assets/"),
      fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
    )
    .map(([start, pieces]) => start + pieces.join("")),
);

const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((list) => Buffer.from(list).toString("latin1"));

const requests = fc
  .record({
    method: fc.constantFrom(...METHODS),
    target: targets,
    version: fc.constantFrom(...VERSIONS),
    headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 4 }),
    host: fc.constantFrom("Host: localhost", "Host: localhost", "Host: localhost", "X: y"),
    body: fc.constantFrom(...BODIES),
  })
  .map(
    ({ method, target, version, headers, host, body }) =>
      `${[`${method} ${target} ${version}`, host, ...headers].join("\r\n")}\r\n\r\n${body}`,
  );

/** Text for a connection, one byte per character: consecutive requests, some with unusual bytes. */
const oddTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: bytes },
  {
    weight: 8,
    arbitrary: fc.array(requests, { minLength: 1, maxLength: 3 }).map((list) => list.join("")),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(requests, fc.nat(), bytes, fc.nat(3)).map(([text, at, odd, instead]) => {
      const here = at % (text.length + 1);
      return text.slice(0, here) + odd + text.slice(here + instead);
    }),
  },
);

/** How a client ends: with an ordinary request, a half-close, a reset, or in the middle of the text. */
const endings = fc.constantFrom("asks", "asks", "asks", "half-closes", "resets", "stops short");

type Ending = "asks" | "half-closes" | "resets" | "stops short";

/** After this time without data the client ends its side, in milliseconds; the first may take longer. */
const [IDLE, FIRST] = [150, 1000];
/** How long a connection may stay open, in milliseconds: the machine may be busy. */
const LIMIT = 300_000;

/**
 * Sends text, one byte per character, ends the connection as given, and reads until the server
 * closes it. Rejects if the server keeps it open.
 */
function converse(url: string, text: string, ending: Ending): Promise<Heard> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    let isCut = ending !== "asks";
    const socket = connect({ host: hostname, port: Number(port) });
    const limit = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open; received: ${JSON.stringify(received)}`));
    }, LIMIT);
    let idle: NodeJS.Timeout | undefined;
    const listenOn = () => {
      clearTimeout(idle);
      idle = setTimeout(() => socket.end(), received === "" ? FIRST : IDLE);
    };
    socket.setEncoding("latin1");
    socket.on("data", (piece) => {
      received += piece;
      listenOn();
    });
    // The server may close the connection before it has read everything: what it has sent may be lost.
    socket.on("error", () => {
      isCut = true;
    });
    socket.on("close", () => {
      clearTimeout(idle);
      clearTimeout(limit);
      resolve({ received, isCut });
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

interface Heard {
  readonly received: string;
  /** Whether the end may be missing. */
  readonly isCut: boolean;
}

/** One response on a connection; the body has one character per byte. */
interface RawAnswer {
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
function answersIn(received: string, mayBeCut: boolean): RawAnswer[] {
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

const SOCKETS = runs(2);
const PROCESS = runs();

const TOKEN = "t0ken-of-the-draft-0123";
const FILM = heldAsset("film", "film.mp4", "film ".repeat(2000), "video/mp4");
const ROOT = join(import.meta.dirname, "../..");

const STATUSES = [100, 200, 204, 206, 304, 400, 401, 404, 405, 408, 417, 421, 431];
/** H4, and codes that are not listed there because no request should get them. */
const CODES = [
  "preview-token-invalid",
  "project-not-found",
  "experience-not-found",
  "experience-content-not-published",
  "schema-not-published",
  "not-found",
  "method-not-allowed",
  "bad-request",
  "host-not-allowed",
  "access-key-invalid",
];

function publishedBed(): TestBed {
  const entries = [page("home", "Home", { picture: { assetId: "film" } })];
  const assets = [FILM.asset];
  const files = new Map([FILM.file]);
  const bed = new TestBed(smallWorkspace({ previewToken: TOKEN, entries, assets, files }));
  bed.publish();
  return bed;
}

/**
 * H1, H4: the response is documented, readable from any origin (the preview page from its own
 * only), and leaks neither secrets nor internals.
 */
function expectDocumented({ status, headers, body }: RawAnswer, secrets: readonly string[]): void {
  expect(STATUSES, body).toContain(status);
  if (status === 100) return;
  const isOfPage = headers.get("cross-origin-resource-policy") === "same-origin";
  expect(headers.get("access-control-allow-origin")).toBe(isOfPage ? undefined : "*");
  const response = JSON.stringify([...headers]) + body;
  for (const secret of secrets) expect(response).not.toContain(secret);
  expect(response).not.toMatch(/\n +at |node:internal|node_modules|Error:|\.ts\b|\bE[A-Z]{4,}\b/);
  if (status < 400) return;
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(headers.get("cache-control")).toBe("no-store");
  const allowed = isOfPage ? "GET, HEAD" : "GET, HEAD, OPTIONS";
  if (status === 405) expect(headers.get("allow")).toBe(allowed);
  if (body === "") return;
  const problem = JSON.parse(body);
  expect(Object.keys(problem)).toEqual(["code", "detail", "status", "title", "type"]);
  expect(CODES).toContain(problem.code);
  expect(problem.status).toBe(status);
}

/** Sends malformed text on connections, and an ordinary request after each. */
async function fuzz(server: HttpClient, bed: TestBed, numRuns: number): Promise<void> {
  const secrets = [TOKEN, bed.folder, ROOT, "workspace.db"];
  const good = await server.request(ENDPOINTS[2]);
  expect(good.status).toBe(200);
  const property = fc.asyncProperty(oddTexts, endings, async (text, ending) => {
    const sent = text.replaceAll("$TOKEN", TOKEN).replaceAll("$ASSET", `/${FILM.path}`);
    const { received, isCut } = await converse(server.url, sent, ending);
    for (const answer of answersIn(received, isCut)) expectDocumented(answer, secrets);
    if (!isCut) expect(received, "no answer").not.toBe("");
    expect((await server.request(ENDPOINTS[2])).text).toBe(good.text);
  });
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 300_000 });
}

describe("fuzz: malformed requests", () => {
  it.each([
    ["published files", false],
    ["previews", true],
  ])(
    `H4: a server of %s answers as documented, or not at all, and goes on (${SOCKETS} inputs)`,
    timeFor(SOCKETS),
    async (_what, preview) => {
      const bed = publishedBed();
      await fuzz(await serve(bed, { preview }), bed, SOCKETS);
    },
  );

  it(
    `H4: svc preview answers as documented and prints nothing of it (${PROCESS} inputs)`,
    timeFor(PROCESS),
    async () => {
      const bed = publishedBed();
      const server = await ServerProcess.start(
        "preview",
        "--out",
        bed.out,
        "--store",
        bed.store.file,
      );
      const said = [server.stdout, server.stderr];
      await fuzz(server.client, bed, PROCESS);
      server.signal("SIGTERM");
      expect(await server.end()).toBe(0);
      expect(server.stderr).not.toMatch(/request failed|Error|\n +at /);
      expect(server.stderr).not.toContain(TOKEN);
      expect(server.stdout).toBe(said[0]);
    },
  );
});
