import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, it } from "vitest";
import { printWorker } from "../../../src/deploy/edge/functions.ts";
import { RELEASE } from "../../support/requests/requested-site.ts";
import { temporaryFolder } from "../../support/test-bed.ts";
import { stoppedClock } from "../model/commands.ts";

const SITE = "/api/v1/projects/site";
const OTHER = RELEASE.replaceAll("0", "f");

interface Worker {
  fetch(request: Request, env: object): Promise<Response>;
}

let live: string | undefined;
let failing: RegExp;
let reads: string[];
let ask: (method?: string, headers?: Record<string, string>) => Promise<Response>;
beforeEach(async () => {
  [live, failing, reads] = [RELEASE, /^$/, []];
  const file = join(temporaryFolder(), "worker.mjs");
  writeFileSync(file, printWorker());
  const worker: Worker = (await import(pathToFileURL(file).href)).default;
  const BUCKET = {
    async get(key: string) {
      reads.push(key);
      if (failing.test(key)) throw new Error("R2 fails");
      if (key !== ".svc-pointers.json" && !key.startsWith("r/")) return null;
      return {
        body: new Response(key).body,
        httpEtag: `"${key}"`,
        json: async () => ({ values: live === undefined ? {} : { "p:site": live } }),
        writeHttpMetadata: () => {},
      };
    },
  };
  ask = (method = "GET", headers = {}) =>
    worker.fetch(new Request(`https://content.example${SITE}`, { method, headers }), { BUCKET });
});

const keyOf = (release: string) => `r/${release}${SITE}/index.json`;

it("L16: the worker takes pointers for what is live for two seconds", async () => {
  const pass = stoppedClock();
  const served = async () => (await ask()).text();
  expect(await served()).toBe(keyOf(RELEASE));
  live = OTHER;
  pass(1_999);
  expect(await served()).toBe(keyOf(RELEASE));
  pass(1);
  expect(await served()).toBe(keyOf(OTHER));
  live = undefined;
  pass(2_000);
  expect((await ask()).status).toBe(404);
  expect(reads.filter((key) => key.startsWith("."))).toHaveLength(3);
});

it("L16, H2: an unchanged document is a 304", async () => {
  const tag = (await ask()).headers.get("ETag") ?? "";
  for (const tags of [tag, `"x", W/${tag}`, "*"]) {
    const answer = await ask("GET", { "If-None-Match": tags });
    expect([answer.status, await answer.text(), answer.headers.get("ETag")]).toEqual([
      304,
      "",
      tag,
    ]);
  }
  expect((await ask("HEAD", { "If-None-Match": '"x"' })).status).toBe(200);
});

it.each([/^\.svc/, /^r\//])("L16, H4: a failure of the bucket (%s) is a 503", async (what) => {
  failing = what;
  const answer = await ask();
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([503, "no-store"]);
});
