import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server/server-process.ts";
import { ENDPOINTS, type HttpClient, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { fuzzed, runs, timeFor } from "./fuzzing.ts";
import { endings, oddTexts } from "./odd-requests.ts";
import { answersIn, converse, type RawAnswer } from "./raw-client.ts";

const SOCKETS = runs(2);
const PROCESS = runs();

const TOKEN = "t0ken-of-the-draft";
const FILM = heldAsset("film", "film.mp4", "film ".repeat(2000), "video/mp4");
const ROOT = join(import.meta.dirname, "../..");

const STATUSES = [100, 200, 204, 206, 304, 400, 401, 404, 405, 408, 417, 421, 431];
/** H4, and codes that are not listed there because no request should get them. */
const CODES = [
  ...["preview-token-invalid", "project-not-found", "experience-content-not-published"],
  ...["schema-not-published", "not-found", "method-not-allowed", "bad-request"],
  ...["host-not-allowed", "access-key-invalid"],
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
    const heard = await converse(server.url, sent, ending);
    for (const answer of answersIn(heard, ending !== "asks")) expectDocumented(answer, secrets);
    if (ending === "asks") expect(heard, "no answer").not.toBe("");
    expect((await server.request(ENDPOINTS[2])).text).toBe(good.text);
  });
  await fc.assert(property, { ...fuzzed(numRuns), interruptAfterTimeLimit: 300_000 });
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
