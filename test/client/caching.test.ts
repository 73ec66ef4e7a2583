import { expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { apiOf, errorOf, recorded } from "../support/server/client-bed.ts";
import { host } from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

function smallBed(): TestBed {
  const bed = new TestBed(smallWorkspace({ previewToken: "token" }));
  bed.publish();
  return bed;
}

/** A config document. */
const config = (id: string) => ({ id, versionId: null, fields: {}, steps: [], experiences: [] });
const P = JSON.stringify(config("p"));
const Q = JSON.stringify(config("q"));

/** A host that gives these answers one after another, and the `If-None-Match` that it was sent. */
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

it("K1: the first request has no If-None-Match, the next has the ETag, and its 304 gives what is held", async () => {
  const { client, recorder } = recorded(await apiOf(smallBed()), "site");
  const asks = [client.project, client.schema];
  for (const ask of asks) {
    const first = await ask();
    const [had] = recorder.taken();
    expect(had).toMatchObject({ ifNoneMatch: null, status: 200 });
    expect(had?.etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (let time = 0; time < 2; time += 1) {
      expect(await ask()).toEqual(first);
      expect(recorder.taken()).toMatchObject([{ ifNoneMatch: had?.etag, status: 304 }]);
    }
  }
});

it("content() asked again is two answers of 304, and can be resolved as before", async () => {
  const { client, recorder } = recorded(await apiOf(smallBed()), "site");
  const first = await client.content("home");
  expect(recorder.taken().map(({ status }) => status)).toEqual([200, 200]);
  const again = await client.content("home");
  expect(recorder.taken().map(({ status }) => status)).toEqual([304, 304]);
  expect(JSON.stringify(again)).toBe(JSON.stringify(first));
  expect(again.content).toEqual(first.content);
  expect(again.layout("step-home")).toEqual(first.content[0]);
});

it("a document that changed is read anew, and then held; what was given stays as it was", async () => {
  const bed = smallBed();
  const { client, recorder } = recorded(await apiOf(bed), "site");
  const first = await client.content("home");
  const text = JSON.stringify(first);
  const [, held] = recorder.taken();
  bed.import(smallWorkspace({ entries: [page("home", "Changed")] }));
  bed.publish();
  const changed = await client.content("home");
  const [, read] = recorder.taken();
  expect(read).toMatchObject({ ifNoneMatch: held?.etag, status: 200 });
  expect(changed.layout("step-home")?.data).toMatchObject({ title: "Changed" });
  expect(JSON.stringify(first)).toBe(text);
  expect((await client.content("home")).content).toEqual(changed.content);
  expect(recorder.taken()[1]).toMatchObject({ ifNoneMatch: read?.etag, status: 304 });
});

it("clients share nothing, and neither do addresses", async () => {
  const baseUrl = await apiOf(smallBed());
  const [one, other] = [recorded(baseUrl, "site"), recorded(baseUrl, "site")];
  await one.client.project();
  await other.client.project();
  await one.client.schema();
  const all = [...one.recorder.taken(), ...other.recorder.taken()];
  expect(all.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, null, null]);
});

it("what has no ETag, as preview has none, is read anew each time", async () => {
  const { client, recorder } = recorded(await apiOf(smallBed()), "site", "token");
  await client.project();
  await client.project();
  expect(recorder.taken()).toMatchObject([
    { ifNoneMatch: null, status: 200, etag: null },
    { ifNoneMatch: null, status: 200, etag: null },
  ]);
});

it("what fails in between is told, and what is held stays held", async () => {
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

it("what is not JSON is never held, whatever its ETag", async () => {
  const { client, conditions } = await hostThatGives([200, "<html>", '"a"'], [200, P]);
  await errorOf(client.project());
  expect(await client.project()).toEqual(config("p"));
  expect(conditions).toEqual([undefined, undefined]);
});

it("a 304 to who holds nothing is an error", async () => {
  const { client } = await hostThatGives([304, ""]);
  expect(await errorOf(client.project())).toMatchObject({ status: 304 });
});

it("what is held is not what the caller has: whoever changes an answer changes no later one", async () => {
  const { client } = recorded(await apiOf(smallBed()), "site");
  const first = await client.project();
  first.steps.length = 0;
  expect((await client.project()).steps).toHaveLength(1);
});

it("an empty token is none: what is published is read, and held", async () => {
  const url = await apiOf(smallBed());
  const asked: string[] = [];
  const client = createClient({
    baseUrl: url,
    projectId: "site",
    previewToken: "",
    fetch: (input, init) => {
      asked.push(String(input));
      return fetch(input, init);
    },
  });
  await client.project();
  expect(asked.map((address) => new URL(address).search)).toEqual([""]);
});
