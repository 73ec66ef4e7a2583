import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type Answer,
  answerOf,
  type HttpClient,
  problemOf,
  serve,
} from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

let bed: TestBed;
let server: HttpClient;
beforeEach(async () => {
  // `site` is published; `draft` and its workspace never were.
  bed = new TestBed(
    smallWorkspace({ previewToken: "t0ken" }),
    smallWorkspace({ id: "new", projects: [projectOf("draft", "home")] }),
  );
  bed.publish({ workspace: "w" });
  server = await serve(bed);
});

const NO_CONTENT = "experience-content-not-published";
const SITE = "/api/v1/projects/site";
const REFUSED: readonly (readonly [code: string, status: number, request: string])[] = [
  ["project-not-found", 404, "GET /api/v1/projects/none"],
  ["project-not-found", 404, "GET /api/v1/projects/draft"],
  ["schema-not-published", 404, "GET /api/v1/projects/none/schema"],
  ["schema-not-published", 404, "GET /api/v1/projects/draft/schema"],
  [NO_CONTENT, 404, `GET ${SITE}/experiences/none/content`],
  [NO_CONTENT, 404, "GET /api/v1/projects/draft/experiences/home/content"],
  [NO_CONTENT, 404, `GET ${SITE}/experiences/none/content?preview_token=t0ken`],
  ["preview-token-invalid", 401, `GET ${SITE}?preview_token=wrong`],
  ["not-found", 404, "GET /favicon.ico"],
  ["not-found", 404, "GET /assets/0123456789abcdef/a.png"],
  ["method-not-allowed", 405, `DELETE ${SITE}`],
  ["bad-request", 400, "GET /api/%C3%28"],
  ["bad-request", 400, "GET / HTTP/1.1\r\nno header"],
];

async function answerTo(request: string): Promise<Answer> {
  const [method = "", target = ""] = request.split(" ", 2);
  if (!request.includes("\r\n")) return server.target(target, { method });
  return answerOf(await server.raw(`${request}\r\n\r\n`));
}

describe("problem documents", () => {
  it.each(REFUSED)("H4: `%s` is status %i: %s", async (code, status, request) => {
    const answer = await answerTo(request);
    const problem = problemOf(answer);
    expect([answer.status, problem.status, problem.code]).toEqual([status, status, code]);
    // RFC 9457: a URI reference that names the kind of problem; a title that says it in words.
    expect(URL.canParse(problem.type, "https://example.org")).toBe(true);
    expect(problem.title).toMatch(/^[A-Z][A-Za-z ]+$/);
    expect(problem.detail).toMatch(/^[A-Z].+\.$/);
    expect(answer.headers.get("Content-Length")).toBe(String(Buffer.byteLength(answer.text)));
  });

  it("H4: a problem's type, title and detail depend on its code alone", async () => {
    const texts = new Map<string, Set<string>>();
    for (const [code, , request] of REFUSED) {
      const { text } = await answerTo(request);
      texts.set(code, (texts.get(code) ?? new Set()).add(text));
    }
    for (const told of texts.values()) expect(told.size).toBe(1);
    const types = [...texts.values()].map(([text = ""]) => JSON.parse(text).type);
    expect(new Set(types).size).toBe(7);
  });

  it("H4: the detail of a missing schema tells the caller to publish the workspace", async () => {
    const answer = await server.request("/api/v1/projects/draft/schema");
    expect(problemOf(answer).detail).toMatch(/publish the workspace/i);
  });

  it("H4: HEAD has the status and headers of the problem, and no body", async () => {
    for (const path of [
      "/api/v1/projects/none",
      "/nowhere",
      "/api/v1/projects/site/schema?preview_token",
    ]) {
      const get = await server.request(path);
      const head = await server.request(path, { method: "HEAD" });
      expect([head.status, head.text]).toEqual([get.status, ""]);
      for (const name of ["Content-Type", "Content-Length", "Cache-Control"]) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    }
  });

  it("H4: whatever the caller accepts or asks to be conditional, a problem stays one", async () => {
    const headers = { Accept: "text/html", "If-None-Match": "*", Range: "bytes=0-3" };
    const answer = await server.request("/api/v1/projects/none", { headers });
    expect(problemOf(answer).code).toBe("project-not-found");
    expect(answer.status).toBe(404);
  });

  it("F1: out/404.json is the problem document `not-found`", async () => {
    const { text } = await server.request("/nowhere");
    expect(readFileSync(join(bed.out, "404.json"), "utf8")).toBe(text);
  });

  it("a failure of the server itself is a problem document that tells nothing of it", async () => {
    server = await serve(bed, { mayFail: true });
    bed.store.close();
    const answer = await server.request("/api/v1/projects/site?preview_token=t0ken");
    expect(answer.status).toBe(500);
    expect(problemOf(answer).code).toBe("internal-error");
    expect(answer.text).not.toMatch(/database|sqlite|connection|t0ken|\bat \//i);
    expect((await server.request("/api/v1/projects/site")).status).toBe(200);
  });
});
