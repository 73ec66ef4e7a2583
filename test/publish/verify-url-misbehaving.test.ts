import { describe, expect, it } from "vitest";
import {
  HOME,
  INDEX,
  NEWS,
  publishedPagesBed,
  SCHEMA,
} from "../support/publish/published-pages-bed.ts";
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
  it.each(ALL)("reports exactly that document: %s", async (path) => {
    const bed = publishedPagesBed();
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
    [
      "redirects to a missing path",
      answer(302, "", { Location: "/nowhere" }),
      { reason: "missing" },
    ],
    [
      "redirects to another document",
      answer(301, "", { Location: at(NEWS) }),
      { reason: "changed" },
    ],
  ])("reports one that %s", async (_what, misbehaviour, finds) => {
    const bed = publishedPagesBed();
    const { ok, differs } = await verifyAt(bed, await hostOf(bed, { [SCHEMA]: misbehaviour }));
    expect({ ok, differs }).toMatchObject({ ok: false, differs: [{ path: SCHEMA, ...finds }] });
  });

  // The first request and a later one: one failed request does not mean that the host is down.
  describe.each([HOME, SCHEMA])("at %s", (path) => {
    it.each<[what: string, misbehaviour: Misbehaviour]>([
      ["is cut off half-way", breakOff],
      ["gets no answer", ({ socket }) => socket?.destroy()],
      ["redirects to itself", answer(302, "", { Location: at(path) })],
    ])("reports as unreadable one that %s", async (_what, misbehaviour) => {
      const bed = publishedPagesBed();
      const { ok, differs } = await verifyAt(bed, await hostOf(bed, { [path]: misbehaviour }));
      const detail = expect.stringContaining(at(path));
      expect({ ok, differs }).toEqual({
        ok: false,
        differs: [{ path, reason: "unreadable", detail }],
      });
    });
  });

  it("reports one of another version with both versions", async () => {
    const bed = publishedPagesBed();
    const { versionId } = bed.file("manifest.json").workspaces.w;
    const before = new TestBed(smallWorkspace({ entries: [page("home", "Before")] }));
    const earlier = before.publish().versionId;
    const text = JSON.stringify(before.file(HOME));
    const url = await hostOf(bed, { [HOME]: answer(200, `${text}\n`) });
    const detail = `has version ${earlier}, not ${versionId}`;
    expect((await verifyAt(bed, url)).differs).toEqual([{ path: HOME, reason: "changed", detail }]);
  });

  it("follows a redirect to the published bytes", async () => {
    const bed = publishedPagesBed();
    const elsewhere = await hostOf(bed);
    const Location = elsewhere.replace("/api/v1", at(SCHEMA));
    const url = await hostOf(bed, { [SCHEMA]: answer(307, "moved", { Location }) });
    expect(await verifyAt(bed, url)).toEqual({ ok: true, files: 4, differs: [] });
  });
});

describe("F7: svc verify --url and a host without any document", () => {
  it("fails when the host is unreachable, with a hint", async () => {
    const url = await deadUrl();
    const failure = {
      name: "SvcError",
      code: "url-unreachable",
      hint: expect.stringMatching(/check/),
    };
    const error = await verifyAt(publishedPagesBed(), url).catch((error: unknown) => error);
    expect(error).toMatchObject(failure);
    expect((error as Error).message).toContain(url);
    expect((error as Error).message).toContain("ECONNREFUSED");
  });

  it.each<[what: string, misbehaviour: Misbehaviour, reason: string]>([
    ["has no document", answer(404), "missing"],
    ["always fails", answer(500), "unreadable"],
    ["cuts off every response", breakOff, "unreadable"],
  ])("reports every document when the host %s", async (_what, misbehaviour, reason) => {
    const url = await host((_request, response) => misbehaviour(response));
    const { ok, differs } = await verifyAt(publishedPagesBed(), `${url}/api/v1`);
    expect([ok, differs.map((one) => [one.path, one.reason])]).toEqual([
      false,
      ALL.map((path) => [path, reason]),
    ]);
  });
});
