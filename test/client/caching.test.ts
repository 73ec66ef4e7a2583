import { expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { apiOf, errorOf, recorded } from "../support/server/client-bed.ts";
import { host } from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const TOKEN = "token-0123456789abcdef";

function smallBed(): TestBed {
  const bed = new TestBed(smallWorkspace({ previewToken: TOKEN }));
  bed.publish();
  return bed;
}

/** A config document. */
const config = (id: string) => ({ id, versionId: null, fields: {}, steps: [], experiences: [] });
const P = JSON.stringify(config("p"));
const Q = JSON.stringify(config("q"));

/** A host that sends these responses in order, and the `If-None-Match` headers that it received. */
async function hostThatGives(...answers: readonly [status: number, text: string, etag?: string][]) {
  const conditions: (string | undefined)[] = [];
  const left = [...answers];
  const url = await host((request, response) => {
    conditions.push(request.headers["if-none-match"]);
    const [status, text, etag] = left.shift() ?? [500, ""];
    response.writeHead(status, etag === undefined ? {} : { ETag: etag }).end(text);
  });
  return { client: createClient({ baseUrl: url, projectId: "p" }), conditions };
}

it("K1: the first request has no If-None-Match, the next has the ETag, and a 304 returns the cached document", async () => {
  const { client, recorder } = recorded(await apiOf(smallBed()), "site");
  const asks = [client.project, client.schema];
  for (const ask of asks) {
    const first = await ask();
    const [had] = recorder.takeExchanges();
    expect(had).toMatchObject({ ifNoneMatch: null, status: 200 });
    expect(had?.etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (let time = 0; time < 2; time += 1) {
      expect(await ask()).toEqual(first);
      expect(recorder.takeExchanges()).toMatchObject([{ ifNoneMatch: had?.etag, status: 304 }]);
    }
  }
});

it("K1: a caller that changes a result changes no other, also when all are of one cached document", async () => {
  const { client, recorder } = recorded(await apiOf(smallBed()), "site");
  const first = await client.project();
  const text = JSON.stringify(first);
  for (let time = 0; time < 3; time += 1) {
    const result = await client.project();
    expect(JSON.stringify(result)).toBe(text);
    Object.assign(result, { id: "changed" }).steps.length = 0;
  }
  expect(JSON.stringify(first)).toBe(text);
  expect(recorder.takeExchanges().map(({ status }) => status)).toEqual([200, 304, 304, 304]);
});

it("a changed document is read and cached again; earlier results do not change", async () => {
  const bed = smallBed();
  const { client, recorder } = recorded(await apiOf(bed), "site");
  const first = await client.content("home");
  const text = JSON.stringify(first);
  const [held] = recorder.takeExchanges();
  bed.import(smallWorkspace({ entries: [page("home", "Changed")] }));
  bed.publish();
  const changed = await client.content("home");
  const [read] = recorder.takeExchanges();
  expect(read).toMatchObject({ ifNoneMatch: held?.etag, status: 200 });
  expect(changed.content[0]?.data).toMatchObject({ title: "Changed" });
  expect(JSON.stringify(first)).toBe(text);
  expect((await client.content("home")).content).toEqual(changed.content);
  expect(recorder.takeExchanges()[0]).toMatchObject({ ifNoneMatch: read?.etag, status: 304 });
});

it("clients share no cache, and neither do URLs", async () => {
  const baseUrl = await apiOf(smallBed());
  const [one, other] = [recorded(baseUrl, "site"), recorded(baseUrl, "site")];
  await one.client.project();
  await other.client.project();
  await one.client.schema();
  const all = [...one.recorder.takeExchanges(), ...other.recorder.takeExchanges()];
  expect(all.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, null, null]);
});

it("documents without ETag are read each time", async () => {
  const { client, conditions } = await hostThatGives([200, P], [200, Q]);
  expect(await client.project()).toEqual(config("p"));
  expect(await client.project()).toEqual(config("q"));
  expect(conditions).toEqual([undefined, undefined]);
});

it("K1: drafts are revalidated too (H52)", async () => {
  const bed = smallBed();
  const { client, recorder } = recorded(await apiOf(bed), "site", TOKEN);
  const first = await client.content("home");
  expect(await (await client.content("home")).project()).toEqual(await first.project());
  const home = "/experiences/home/content";
  const asked = recorder.takeExchanges().map(({ url, status }) => [url.includes(home), status]);
  expect(asked).toEqual([
    [true, 200],
    [true, 304],
    [false, 200],
    [false, 304],
  ]);
});

it("errors in between are thrown, and the cache stays", async () => {
  const { client, conditions } = await hostThatGives(
    [200, P, '"a"'],
    [503, "<h1>busy</h1>"],
    [304, ""],
    [200, Q, 'W/"b"'],
    [304, ""],
  );
  const first = await client.project();
  expect(await errorOf(client.project())).toMatchObject({ status: 503 });
  expect(await client.project()).toEqual(first);
  expect(await client.project()).toEqual(config("q"));
  expect(await client.project()).toEqual(config("q"));
  expect(conditions).toEqual([undefined, '"a"', '"a"', '"a"', 'W/"b"']);
});

it("a body that is not JSON is never cached, whatever its ETag", async () => {
  const { client, conditions } = await hostThatGives([200, "<html>", '"a"'], [200, P]);
  await errorOf(client.project());
  expect(await client.project()).toEqual(config("p"));
  expect(conditions).toEqual([undefined, undefined]);
});

it("a 304 without a cached document is an error", async () => {
  const { client } = await hostThatGives([304, ""]);
  expect(await errorOf(client.project())).toMatchObject({ status: 304 });
});

it("an empty token means no token: published documents are read and cached", async () => {
  const { client, recorder } = recorded(await apiOf(smallBed()), "site", "");
  await client.project();
  await client.project();
  expect(recorder.takeExchanges()).toMatchObject([{ status: 200 }, { status: 304 }]);
});

it("K1: the 1,000 documents that were received last are held", async () => {
  const conditions: boolean[] = [];
  const document = '{"steps":[],"experiences":[],"content":[],"references":[]}';
  const fetch = async (_input: unknown, init?: RequestInit) => {
    conditions.push(new Headers(init?.headers).has("If-None-Match"));
    return new Response(document, { headers: { ETag: '"a"' } });
  };
  const client = createClient({ baseUrl: "http://host", projectId: "p", fetch });
  const last = Array.from({ length: 999 }, (_, index) => `last-${index}`);
  await client.contentMany(["first", "second", ...last]);
  expect(conditions.splice(0)).not.toContain(true);
  await client.contentMany(["second", ...last]);
  expect(conditions.splice(0)).not.toContain(false);
  await client.content("first");
  expect(conditions).toEqual([false]);
});
