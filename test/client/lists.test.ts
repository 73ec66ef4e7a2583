import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { apiOf, errorOf, recorded } from "../support/server/client-bed.ts";
import { answer, host } from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

function publishPages(bed: TestBed, ...ids: readonly string[]): void {
  const entries = ids.map((id) => page(id, id));
  bed.import(smallWorkspace({ projects: [projectOf("site", ...ids)], entries }));
  bed.publish();
}

function bedOf(...ids: readonly string[]): TestBed {
  const bed = new TestBed();
  publishPages(bed, ...ids);
  return bed;
}

describe("contentMany()", () => {
  it("K12: returns contents in order, with at most 6 requests at a time", async () => {
    const open: (() => void)[] = [];
    let [most, left] = [0, 12];
    const url = await host((request, response) => {
      const [, id] = /experiences\/(.*)\/content/.exec(request.url ?? "") ?? [];
      const text = JSON.stringify({ experienceId: id, content: [], references: [] });
      open.push(() => answer(200, text)(response));
      most = Math.max(most, open.length);
      // When six are open, a seventh one is waited for; then the last one is answered first.
      if (open.length === Math.min(6, left)) setTimeout(answerLast, 5);
    });
    const answerLast = () => {
      left -= 1;
      open.pop()?.();
      if (left > 0 && left < 6) answerLast();
    };
    const client = createClient({ baseUrl: url, projectId: "p" });
    const ids = Array.from({ length: 12 }, (_, index) => `${index}`);
    const found = await client.contentMany(new Set(ids));
    expect(found.map(({ experienceId }) => experienceId)).toEqual(ids);
    expect(most).toBe(6);
    expect(await client.contentMany([])).toEqual([]);
  });

  it("K12: takes ids and keys", async () => {
    const { client } = recorded(await apiOf(bedOf("a", "b")), "site");
    const found = await client.contentMany(["b", { key: "a" }]);
    expect(found.map(({ experienceId }) => experienceId)).toEqual(["b", "a"]);
  });

  it("K12: after an error, which is thrown, it asks for no more", async () => {
    let requests = 0;
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    const fetch = async () => {
      requests += 1;
      const status = requests === 3 ? 500 : 200;
      await pause();
      return new Response('{"content":[],"references":[]}', { status });
    };
    const client = createClient({ baseUrl: "http://host", projectId: "p", fetch });
    const ids = Array.from({ length: 99 }, (_, index) => `${index}`);
    expect((await errorOf(client.contentMany(ids))).status).toBe(500);
    for (let turn = 0; turn < 99; turn += 1) await pause();
    expect(requests).toBeLessThanOrEqual(12);
  });
});

describe("pages()", () => {
  async function idsOf(pages: AsyncIterable<{ experienceId: string }>): Promise<string[]> {
    const ids: string[] = [];
    for await (const { experienceId } of pages) ids.push(experienceId);
    return ids;
  }

  it("K13: yields the pages of a list in the order of their numbers, each when it is asked for", async () => {
    const entries = Array.from({ length: 11 }, (_, index) => page(`entry-${index + 10}`, "Page"));
    const numbers = entries.map((_, index) => `list-${index + 1}`);
    const others = ["en-1-x", "en-2-x", "list-13", "list-0", "other-1"];
    const list = { id: "list-{page}", size: 1 };
    const collection = { model: "page", id: "{id}", layoutName: "page", where: { title: "Page" } };
    const byValue = { by: "page.title", id: "of-{value}-{page}", size: 5 };
    const project = {
      ...projectOf("site", ...others),
      collections: [{ ...collection, list }, byValue],
    };
    entries.push(...others.map((id) => page(id, id)));
    const bed = new TestBed(smallWorkspace({ projects: [project], entries }));
    bed.publish();
    const { client, recorder } = recorded(await apiOf(bed), "site");
    expect(await idsOf(client.pages("list"))).toEqual(numbers);
    const first = await client.pages("list").next();
    expect(first.value?.content.map(({ id }) => id)).toEqual(["entry-10"]);
    expect(await idsOf(client.pages("en-{page}-x"))).toEqual(["en-1-x", "en-2-x"]);
    expect(await idsOf(client.pages("of-page"))).toEqual(["of-page-1", "of-page-2", "of-page-3"]);
    expect(await idsOf(client.pages("none"))).toEqual([]);
    recorder.takeExchanges();
    for await (const { experienceId } of client.pages("list")) if (experienceId === "list-2") break;
    expect(recorder.takeExchanges().map(({ url }) => url.replace(/^.*\/site/, ""))).toEqual([
      "/experiences/list-1/content",
      "/experiences/list-2/content",
    ]);
  });

  it("K13: when a release comes between, the walk goes on to the end of the new list", async () => {
    for (const after of [["list-1", "list-2", "list-3", "list-4"], ["list-1"]]) {
      const bed = bedOf("list-1", "list-2", "list-3");
      const { client } = recorded(await apiOf(bed), "site");
      const ids: string[] = [];
      for await (const { experienceId } of client.pages("list")) {
        if (ids.length === 0) publishPages(bed, ...after);
        ids.push(experienceId);
      }
      expect(ids).toEqual(after);
    }
  });

  it("K13: after a page, any 404 is the end of the list; a host that hides what is missing is asked for the config", async () => {
    for (const [status, requests] of [
      [404, 2],
      [403, 3],
    ] as const) {
      const asked: string[] = [];
      const config = { versionId: null, steps: [], experiences: [{ id: "list-1", key: "k" }] };
      const content = { experienceId: "list-1", versionId: null, content: [], references: [] };
      const url = await host((request, response) => {
        asked.push(request.url ?? "");
        const isConfig = request.url === "/projects/p";
        const isFirst = request.url?.includes("list-1/");
        const body = JSON.stringify(isConfig ? config : content);
        answer(isConfig || isFirst ? 200 : status, body)(response);
      });
      const client = createClient({ baseUrl: url, projectId: "p" });
      expect(await idsOf(client.pages("list"))).toEqual(["list-1"]);
      expect(asked).toHaveLength(requests);
    }
  });

  it("K16: totals() counts the pages of a list, and the entries on them", async () => {
    const entries = Array.from({ length: 5 }, (_, index) => page(`e${index}`, "Page"));
    const list = { id: "list-{page}", size: 2 };
    const collection = { model: "page", id: "{id}", layoutName: "page", list };
    const project = { ...projectOf("site"), collections: [collection] };
    const bed = new TestBed(smallWorkspace({ projects: [project], entries }));
    bed.publish();
    const { client } = recorded(await apiOf(bed), "site");
    expect(await client.totals("list")).toEqual({ pages: 3, entries: 5 });
    expect(await client.totals("none")).toEqual({ pages: 0, entries: 0 });
  });
});
