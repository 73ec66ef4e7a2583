import { readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type Answer,
  ENDPOINTS,
  type HttpClient,
  refusal,
  serve,
} from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const FILM = heldAsset("film", "film.mp4", "0123456789", "video/mp4");
const PATHS = [...ENDPOINTS, `/${FILM.path}`];
const PREVIEWED = ENDPOINTS.map((path) => `${path}?preview_token=t0ken-0123456789abcdef`);
const PROJECT_FILE = "api/v1/projects/site/index.json";

let bed: TestBed;
let server: HttpClient;
beforeEach(async () => {
  bed = new TestBed(site("Home"));
  bed.publish();
  server = await serve(bed);
});

function site(title: string) {
  return smallWorkspace({
    previewToken: "t0ken-0123456789abcdef",
    entries: [page("home", title, { picture: { assetId: "film" } })],
    assets: [FILM.asset],
    files: new Map([FILM.file]),
  });
}

function publish(title: string): void {
  bed.import(site(title));
  bed.publish();
}

const etagOf = async (path: string) => (await server.request(path)).headers.get("ETag") ?? "";
const etags = () => Promise.all(PATHS.map(etagOf));

/** A request for each path; `made` gets its ETag and its bytes. */
async function ask(
  made: (etag: string, text: string) => Record<string, string>,
  check: (answer: Answer, complete: Answer) => void,
  method = "GET",
  paths: readonly string[] = PATHS,
): Promise<void> {
  for (const path of paths) {
    const complete = await server.request(path);
    const headers = made(complete.headers.get("ETag") ?? "", complete.text);
    check(await server.request(path, { method, headers }), complete);
  }
}

/** The whole file, as if nothing had been asked. */
const isWhole = ({ status, text, headers }: Answer, complete: Answer) => {
  expect([status, text, headers.get("Content-Range")]).toEqual([200, complete.text, null]);
};

describe("H2: the ETag of a published document or asset", () => {
  it("is strong, and differs where bytes differ", async () => {
    const before = await etags();
    for (const etag of before) expect(etag).toMatch(/^"[\x21\x23-\x7e]{16,}"$/);
    expect(new Set(before).size).toBe(PATHS.length);
    publish("Another home");
    // All three documents contain the new version id.
    for (const etag of (await etags()).slice(0, 3)) expect(before).not.toContain(etag);
    expect((await server.request(ENDPOINTS[2])).text).toContain("Another home");
  });

  it("depends on the bytes alone, not on date, file or server", async () => {
    const before = await etags();
    for (const file of [PROJECT_FILE, FILM.path]) utimesSync(join(bed.out, file), 1, 1);
    expect(await etags()).toEqual(before);
    for (const title of ["Another home", "Home"]) publish(title);
    expect(await etags()).toEqual(before);
    server = await serve(bed, { preview: false });
    expect(await etags()).toEqual(before);
  });

  it.each(["replaced", "written over"])(
    "is another one when the file is %s by one of the same size and date",
    async (how) => {
      const file = join(bed.out, PROJECT_FILE);
      const found = new Set<string>();
      for (let turn = 100; turn < 150; turn += 1) {
        const written = how === "replaced" ? `${file}.new` : file;
        writeFileSync(written, `{"id":${turn}}\n`);
        utimesSync(written, 1, 1);
        if (how === "replaced") renameSync(written, file);
        const { text, headers } = await server.request(ENDPOINTS[0]);
        expect(text).toBe(`{"id":${turn}}\n`);
        found.add(headers.get("ETag") ?? "");
      }
      expect(found.size).toBe(50);
    },
  );
});

describe("H2, H52: If-None-Match, of a published file or a preview", () => {
  it.each<[string, (etag: string) => string]>([
    ["the tag", (etag) => etag],
    ["the weak tag", (etag) => `W/${etag}`],
    ["a list", (etag) => `"other", ${etag}`],
    ["a list of weak tags without spaces", (etag) => `W/"other",W/${etag},"more"`],
    ["a list with commas inside of tags", (etag) => `"a,b", ,\t${etag} , W/"c, d"`],
    ["*", () => "*"],
  ])("RFC 9110, 15.4.5: with %s gets 304, with the headers of the 200", async (_, made) => {
    for (const method of ["GET", "HEAD"]) {
      const headers = (etag: string) => ({ "If-None-Match": made(etag), Range: "bytes=0-3" });
      await ask(
        headers,
        (answer, complete) => {
          expect([answer.status, answer.text]).toEqual([304, ""]);
          for (const name of ["Cache-Control", "Content-Location", "ETag", "Expires", "Vary"]) {
            expect(answer.headers.get(name), name).toBe(complete.headers.get(name));
          }
          expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
        },
        method,
        [...PATHS, ...PREVIEWED],
      );
    }
  });

  it.each<[string, (etag: string) => string]>([
    ["another tag", () => '"0123456789abcdef0123456789abcdef"'],
    ["a list of others", (etag) => `"other", W/"${etag.slice(2)}`],
    ["the tag without quotes", (etag) => etag.slice(1, -1)],
    ["the tag within another", (etag) => `"x${etag.slice(1)}`],
    ["the tag in other letters", (etag) => etag.toUpperCase()],
    ["a star in quotes", () => '"*"'],
    ["nothing", () => ""],
  ])("with %s gets the file", async (_, made) => {
    const paths = [...PATHS, ...PREVIEWED];
    await ask((etag) => ({ "If-None-Match": made(etag) }), isWhole, "GET", paths);
  });

  it("in two header lines is one list", async () => {
    const line = `If-None-Match: ${await etagOf(ENDPOINTS[0])}\r\nIf-None-Match: "other"`;
    const heard = await server.raw(
      `GET ${ENDPOINTS[0]} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line}\r\n\r\n`,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 304 /);
  });
});

describe("H7: a Range request for a published document or asset", () => {
  const range = (text: string) => () => ({ Range: text });

  it.each<[string, (size: number) => string, (text: string) => number, number?]>([
    ["the first bytes", () => "0-3", () => 0, 4],
    ["one byte", () => "4-4", () => 4, 5],
    ["from a byte on", () => "5-", () => 5],
    ["the last bytes", () => "-3", ({ length }) => length - 3],
    ["more than there is", () => "2-999999", () => 2],
    ["all", (size) => `-${size}`, () => 0],
    ["the last byte", (size) => `${size - 1}-`, ({ length }) => length - 1],
  ])("RFC 9110, 14: %s: is answered with that part", async (_, made, startOf, end) => {
    await ask(
      (_etag, text) => ({ Range: `bytes=${made(text.length)}` }),
      ({ status, text, headers }, complete) => {
        const start = startOf(complete.text);
        const expected = complete.text.slice(start, end);
        expect([status, text]).toEqual([206, expected]);
        const cut = `bytes ${start}-${start + expected.length - 1}/${complete.text.length}`;
        expect(headers.get("Content-Range")).toBe(cut);
        expect(headers.get("Content-Length")).toBe(String(expected.length));
        for (const name of ["ETag", "Cache-Control", "Access-Control-Allow-Origin"]) {
          expect(headers.get(name)).toBe(complete.headers.get(name));
        }
      },
    );
  });

  it.each([
    "bytes=999999-",
    "bytes=-0",
    "bytes=-999999",
    "bytes=5-2",
    "bytes=0-1,4-5",
    "bytes=x",
    "bytes=",
    "bytes=-",
    "lines=0-3",
  ])("RFC 9110, 14.2: %s cannot be served as one part: the response is complete", async (text) => {
    await ask(range(text), isWhole);
    await ask((_, { length }) => ({ Range: `bytes=${length}-` }), isWhole);
  });

  it("RFC 9110, 14.2: HEAD ignores ranges", async () => {
    const check = ({ status, text, headers }: Answer, complete: Answer) => {
      expect([status, text]).toEqual([200, ""]);
      expect(headers.get("Content-Length")).toBe(complete.headers.get("Content-Length"));
    };
    await ask(range("bytes=0-3"), check, "HEAD");
  });

  it("RFC 9110, 13.1.5: If-Range with another ETag gets the complete file, never a part", async () => {
    for (const other of [
      () => '"other"',
      (etag: string) => `W/${etag}`,
      () => "Thu, 01 Jan 1970 00:00:00 GMT",
    ]) {
      await ask((etag) => ({ Range: "bytes=4-", "If-Range": other(etag) }), isWhole);
    }
    await ask(
      (etag) => ({ Range: "bytes=4-", "If-Range": etag }),
      ({ status, text }, complete) => {
        expect([status, text]).toEqual([206, complete.text.slice(4)]);
      },
    );
  });

  it.each(ENDPOINTS)("H5: a preview of %s is always complete", async (path) => {
    const preview = `${path}?preview_token=t0ken-0123456789abcdef`;
    const answer = await server.request(preview, { headers: { Range: "bytes=0-3" } });
    isWhole(answer, await server.request(preview));
  });
});

describe("H54: what a config lacks", () => {
  it("H54: is not looked for in one of more than 16 MiB, nor in one that is damaged", async () => {
    const file = join(bed.out, PROJECT_FILE);
    const config = readFileSync(file, "utf8");
    const codeWith = async (text: string) => {
      writeFileSync(file, text);
      return refusal(await server.request("/api/v1/projects/site/experiences/none/content"));
    };
    const padding = " ".repeat(16 * 1024 * 1024);
    for (const text of [config + padding, "null", '{"experiences":[null]}', "{"]) {
      expect(await codeWith(text)).toBe("404 experience-content-not-published");
    }
    expect(await codeWith(config)).toBe("404 experience-not-found");
  });
});
