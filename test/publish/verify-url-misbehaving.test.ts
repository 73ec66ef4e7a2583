import { describe, expect, it } from "vitest";
import { HOME, INDEX, NEWS, publishedPages, SCHEMA } from "../support/publish/published-pages.ts";
import {
  answer,
  breakOff,
  deadUrl,
  host,
  hostOf,
  type Misbehaviour,
  SERVED_AT,
  verifyAt,
} from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const at = (path: string) => SERVED_AT[path] ?? "";
const ALL = [HOME, NEWS, INDEX, SCHEMA];

describe("F7: svc verify --url and a host with one wrong document", () => {
  it.each(ALL)("names it, and no other: %s", async (path) => {
    const bed = publishedPages();
    const url = await hostOf(bed, { [path]: answer(200, "{}") });
    const detail = expect.stringMatching(/^has 2 bytes, published were \d+$/);
    expect(await verifyAt(bed, url)).toEqual({
      ok: false,
      files: 4,
      differs: [{ path, reason: "changed", detail }],
    });
  });

  const says = (status: number) =>
    expect.stringMatching(new RegExp(`/site/schema\\b.* ${status}$`));

  it.each<[what: string, misbehaviour: Misbehaviour, finds: object]>([
    ["is missing", answer(404, "{}"), { reason: "missing", detail: says(404) }],
    ["is gone", answer(410), { reason: "missing", detail: says(410) }],
    ["is refused", answer(401), { reason: "unreadable", detail: says(401) }],
    ["fails", answer(500, "oops"), { reason: "unreadable", detail: says(500) }],
    ["is not ready", answer(503), { reason: "unreadable", detail: says(503) }],
    ["has no content", answer(204), { reason: "unreadable", detail: says(204) }],
    ["is empty", answer(200), { reason: "changed" }],
    ["is a page of a proxy", answer(200, "<!doctype html>"), { reason: "changed" }],
    ["leads nowhere", answer(302, "", { Location: "/nowhere" }), { reason: "missing" }],
    ["leads to another", answer(301, "", { Location: at(NEWS) }), { reason: "changed" }],
  ])("names one that %s", async (_what, misbehaviour, finds) => {
    const bed = publishedPages();
    const { ok, differs } = await verifyAt(bed, await hostOf(bed, { [SCHEMA]: misbehaviour }));
    expect({ ok, differs }).toMatchObject({ ok: false, differs: [{ path: SCHEMA, ...finds }] });
  });

  // The first that is asked for, and a later one: that one fails does not mean that the host does.
  describe.each([HOME, SCHEMA])("at %s", (path) => {
    it.each<[what: string, misbehaviour: Misbehaviour]>([
      ["is broken off half-way", breakOff],
      ["gets no answer", ({ socket }) => socket?.destroy()],
      ["leads to itself", answer(302, "", { Location: at(path) })],
    ])("names as unreadable one that %s", async (_what, misbehaviour) => {
      const bed = publishedPages();
      const { ok, differs } = await verifyAt(bed, await hostOf(bed, { [path]: misbehaviour }));
      const detail = expect.stringContaining(at(path));
      expect({ ok, differs }).toEqual({
        ok: false,
        differs: [{ path, reason: "unreadable", detail }],
      });
    });
  });

  it("names one of another version, and both versions", async () => {
    const bed = publishedPages();
    const { versionId } = bed.file("manifest.json").workspaces.w;
    const before = new TestBed(smallWorkspace({ entries: [page("home", "Before")] }));
    const earlier = before.publish().versionId;
    const text = JSON.stringify(before.file(HOME));
    const url = await hostOf(bed, { [HOME]: answer(200, `${text}\n`) });
    const detail = `is of version ${earlier}, not ${versionId}`;
    expect((await verifyAt(bed, url)).differs).toEqual([{ path: HOME, reason: "changed", detail }]);
  });

  it("is content when a redirect leads to the very bytes that were published", async () => {
    const bed = publishedPages();
    const elsewhere = await hostOf(bed);
    const Location = elsewhere.replace("/api/v1", at(SCHEMA));
    const url = await hostOf(bed, { [SCHEMA]: answer(307, "moved", { Location }) });
    expect(await verifyAt(bed, url)).toEqual({ ok: true, files: 4, differs: [] });
  });
});

describe("F7: svc verify --url and a host that serves nothing of it", () => {
  it("says once that it cannot be reached, and what to check", async () => {
    const url = await deadUrl();
    const told = {
      name: "SvcError",
      code: "url-unreachable",
      hint: expect.stringMatching(/check/),
    };
    const error = await verifyAt(publishedPages(), url).catch((error: unknown) => error);
    expect(error).toMatchObject(told);
    expect((error as Error).message).toContain(url);
    expect((error as Error).message).toContain("ECONNREFUSED");
  });

  it.each<[what: string, misbehaviour: Misbehaviour, reason: string]>([
    ["knows nothing", answer(404), "missing"],
    ["always fails", answer(500), "unreadable"],
    ["breaks off every answer", breakOff, "unreadable"],
  ])("names every document when the host %s", async (_what, misbehaviour, reason) => {
    const url = await host((_request, response) => misbehaviour(response));
    const { ok, differs } = await verifyAt(publishedPages(), `${url}/api/v1`);
    expect([ok, differs.map((one) => [one.path, one.reason])]).toEqual([
      false,
      ALL.map((path) => [path, reason]),
    ]);
  });
});
