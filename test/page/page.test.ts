import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { AccessKey } from "../../src/page/access-key.ts";
import { pageFiles } from "../../src/page/page-files.ts";
import { pageHandler } from "../../src/page/page-handler.ts";
import { apiHandler } from "../../src/server/api-handler.ts";
import { listen } from "../../src/server/listen.ts";
import { LiveDrafts } from "../../src/server/live-drafts.ts";
import { PublishedFiles } from "../../src/server/published-files.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { ownerOf } from "../support/server/owner-of.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const CACHED = "public, max-age=31536000, immutable";
const SECRET = "Not yet announced";
const DATA = [
  "overview",
  "problems",
  "standing",
  "changes",
  "entries",
  "others?q=home",
  "search?q=home",
  "entries?only=problems",
  "entry-problem-counts?ids=home",
  "assets",
  "asset?id=photo",
  "definitions",
  "uses?ids=home",
  "where-used?id=home",
  "entry?id=home",
  "project?project=site",
  "experience?project=site&experience=home",
  "content?project=site&experience=home&most=9",
  "document?project=site&kind=project",
  "documents?project=site&experience=home",
  "experience-changes?project=site&experience=home",
].map((name) => `/_svc/data/${name}${name.includes("?") ? "&" : "?"}workspace=w`);

/** A server with the page's handler, and its key. */
async function served(bed: TestBed) {
  const key = new AccessKey();
  const defects: unknown[] = [];
  const onDefect = (error: unknown) => defects.push(error);
  const { store } = bed;
  const live = new LiveDrafts(store, onDefect);
  const owner = ownerOf(store, { live }, { store: store.file });
  const api = apiHandler(new PublishedFiles(bed.out), { owner }, onDefect);
  const handler = pageHandler({ owner, live, key, onDefect }, api);
  const server = await listen(handler, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    live.close();
    await server.stop();
    expect(defects).toEqual([]);
  });
  const get = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const response = await fetch(server.url + path, { headers, method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const authorized = { Authorization: `Bearer ${key.text}` };
  const act = async (path: string, more: Record<string, string> = authorized) => {
    const headers = { "Content-Type": "application/json", ...more };
    const response = await fetch(`${server.url}/_svc/do/${path}`, {
      method: "POST",
      headers,
      body: "{}",
    });
    return { status: response.status, text: await response.text() };
  };
  return { get, act, key, authorized };
}

const PHOTO = heldAsset("photo", "photo.png", SECRET);
const bedWithSecret = () =>
  new TestBed(
    smallWorkspace({
      entries: [page("home", SECRET)],
      assets: [PHOTO.asset],
      files: new Map([PHOTO.file]),
    }),
  );

describe("H8: the preview page over HTTP", () => {
  it("requires the access key for its data; otherwise 401 without any data of the draft", async () => {
    const { get, act, key, authorized } = await served(bedWithSecret());
    for (const path of DATA) {
      for (const Authorization of ["", "Bearer ", `Bearer ${key.text}x`, key.text, "Basic eA=="]) {
        const { status, text } = await get(path, { Authorization });
        expect([status, JSON.parse(text).code], path).toEqual([401, "access-key-invalid"]);
        expect(text).not.toContain(SECRET);
      }
      expect((await get(`${path}&key=${key.text}`)).status, "the key in the query").toBe(401);
      const { status, headers } = await get(path, authorized);
      expect([status, headers.get("Content-Type")], path).toEqual([
        200,
        "application/json; charset=utf-8",
      ]);
    }
    expect((await act("token?workspace=w", {})).status).toBe(401);
    expect((await get("/_svc/events")).status).toBe(401);
    expect((await get(`/_svc/events?ticket=${key.text}`)).status, "a key is not a ticket").toBe(
      401,
    );
  });

  it("a key has at least 128 bits, and each made is another one", () => {
    const keys = Array.from({ length: 100 }, () => new AccessKey().text);
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(Buffer.from(key, "base64url").length * 8).toBeGreaterThan(128);
  });

  it("sends a strict content security policy, and no response is readable by other origins", async () => {
    const { get, authorized } = await served(bedWithSecret());
    const parts = Object.keys(pageFiles().parts).map((name) => `/_svc/page/${name}`);
    for (const path of ["/", "/_svc/nothing", ...parts, ...DATA]) {
      const { headers } = await get(path, authorized);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy, path).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
      expect(headers.get("Access-Control-Allow-Origin"), path).toBeNull();
      const isPart = parts.includes(path);
      expect(headers.get("Cache-Control")).toBe(isPart ? CACHED : "no-store");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    }
  });

  it("H21: consists of a script, a style sheet, a worker, an icon and the editor that is loaded later, all named by their bytes", async () => {
    const { get } = await served(bedWithSecret());
    const { text: shell } = await get("/");
    const named = [...shell.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path]) => path);
    expect(named.map((path) => path?.replace(/-[A-Z0-9]{8}/, "-*"))).toEqual([
      "_svc/page/icon-*.svg",
      "_svc/page/page-*.css",
      "_svc/page/main-*.js",
    ]);
    const { text: script } = await get(`/${named[2]}`);
    const [worker = ""] = /live-worker-[A-Z0-9]{8}\.js/.exec(script) ?? [];
    const [editor = ""] = /rich-editor-[A-Z0-9]{8}\.js/.exec(script) ?? [];
    const first = await Promise.all(
      [...named, `_svc/page/${worker}`].map((path) => get(`/${path}`)),
    );
    const size = gzipSync([shell, ...first.map(({ text }) => text)].join("")).length;
    expect(size).toBeLessThanOrEqual(120_000);
    for (const path of [...named, `_svc/page/${worker}`, `_svc/page/${editor}`]) {
      const { status, text } = await get(`/${path}`);
      expect([status, text.length > 100], path).toEqual([200, true]);
      expect(text).not.toMatch(/^import |@import/m);
    }
    expect(shell).not.toMatch(/<script(?! type="module" src=)|<style| on\w+=/);
  });

  it("H9: serves an html asset only with its own ticket, without origin, scripts and links", async () => {
    const link = '<LINK rel="preconnect" href="//elsewhere.example">';
    const { asset, file } = heldAsset("a", "a.html", `${link}<linked><h1>A</h1>`, "text/html");
    const { asset: b, file: other } = heldAsset("b", "b.html", "<h1>B</h1>", "text/html");
    const model = { id: "m", key: "m", name: "M", fields: [{ key: "h", type: "html-asset" }] };
    const entries = [{ id: "home", modelId: "m", data: { h: { assetId: "a" } } }];
    const parts = { models: [model], entries, assets: [asset, b], files: new Map([file, other]) };
    const { get, authorized } = await served(new TestBed(smallWorkspace(parts)));
    const { text } = await get("/_svc/data/entry?workspace=w&id=home", authorized);
    const { src } = JSON.parse(text).fields[0].values[0].html;
    const shown = await get(src);
    const removed = '<removed-link rel="preconnect" href="//elsewhere.example">';
    expect([shown.status, shown.text]).toEqual([200, `${removed}<linked><h1>A</h1>`]);
    expect(shown.headers.get("Content-Security-Policy")).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
    );
    for (const wrong of [src.slice(0, -1), src.replace(asset.sha256, b.sha256), src.slice(0, 40)]) {
      expect((await get(wrong)).status, wrong).toBe(404);
    }
  });

  it("accepts POST only for actions; everything else is read-only", async () => {
    const { get, act, authorized } = await served(bedWithSecret());
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
      expect((await get("/_svc/data/overview", authorized, method)).status, method).toBe(405);
    }
    const refused = await get("/_svc/do/token?workspace=w", authorized);
    expect([refused.status, JSON.parse(refused.text).detail]).toEqual([
      405,
      "Only POST is allowed.",
    ]);
    const made = await act("token?workspace=w");
    const { token, expiresAt } = JSON.parse(made.text);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(8 * 3_600_000);
    const draft = await get(`/api/v1/projects/site?preview_token=${token}`);
    expect(draft.status).toBe(200);
    expect((await act("token?workspace=none")).status).toBe(404);
    for (const name of ["none", "constructor", ""]) {
      expect((await act(`${name}?workspace=w`)).status, name).toBe(404);
    }
  });

  it("H15: a page that is loaded again gets the same token, until that is revoked", async () => {
    const bed = bedWithSecret();
    const { act } = await served(bed);
    const make = async () => JSON.parse((await act("token?workspace=w")).text);
    const first = await make();
    expect(await make()).toEqual(first);
    const { number } = bed.store.workspace("w");
    const [listed, ...others] = bed.store.tokens.list(number);
    expect(others).toEqual([]);
    bed.store.tokens.revoke(number, listed?.id ?? "");
    expect((await make()).token).not.toBe(first.token);
  });

  it("H17: Changes lists the entries that no experience shows, and counts the errors", async () => {
    const bed = bedWithSecret();
    bed.publish();
    const { get, authorized } = await served(bed);
    const changes = async () =>
      JSON.parse((await get("/_svc/data/changes?workspace=w", authorized)).text);
    expect(await changes()).toMatchObject({
      documents: [],
      errors: { count: 0 },
      unreached: { total: 0 },
    });
    bed.import(smallWorkspace({ entries: [page("home", SECRET), page("alone", "Alone")] }));
    expect(await changes()).toMatchObject({
      documents: [],
      unreached: { total: 1, entries: [{ id: "alone", title: "Alone", state: "found" }] },
    });
    const alone = { ...page("alone", "Alone"), draft: true };
    bed.import(smallWorkspace({ entries: [page("home", SECRET), alone] }));
    const listed = { id: "alone", title: "Alone", hidden: "draft" };
    expect(await changes()).toMatchObject({
      documents: [],
      unreached: { total: 0 },
      leftOut: { total: 1, entries: [listed] },
    });
    const wrong = { id: "alone", modelId: "m-page", data: { title: 1 } };
    bed.import(smallWorkspace({ entries: [page("home", SECRET), { ...wrong, draft: true }] }));
    expect((await changes()).errors.count).toBe(0);
    bed.import(smallWorkspace({ entries: [page("home", SECRET), wrong] }));
    const { errors } = await changes();
    expect(errors.count).toBeGreaterThan(0);
    expect(errors.first[0]).toMatchObject({ title: "alone", at: { kind: "entry", id: "alone" } });
  });

  it("D1, H20: Changes names the projects of an entry that changed differently in languages", async () => {
    const fields = [
      { key: "title", type: "text", localized: true },
      { key: "note", type: "text" },
    ];
    const site = (title: JsonObject, note: string) =>
      smallWorkspace({
        models: [{ id: "m", key: "page", name: "Page", fields }],
        projects: ["de", "en"].map((locale) => ({ ...projectOf(locale, "home"), locale })),
        entries: [{ id: "home", modelId: "m", data: { title, note } }],
      });
    const bed = new TestBed(site({ de: "Start", en: "Home" }, "1"));
    bed.publish();
    const { get, authorized } = await served(bed);
    const entries = async () =>
      JSON.parse((await get("/_svc/data/changes?workspace=w", authorized)).text).entries.map(
        ({ title, projects }: JsonObject) => ({ title, projects }),
      );
    bed.import(site({ de: "Anfang", en: "Main" }, "1"));
    expect(await entries()).toEqual([
      { title: "Anfang", projects: ["Project de (de)"] },
      { title: "Main", projects: ["Project en (en)"] },
    ]);
    bed.import(site({ de: "Start", en: "Home" }, "2"));
    expect(await entries()).toEqual([{ title: "Start", projects: [] }]);
  });

  it("responds 404 for missing workspaces, projects, entries, and files outside of its folder", async () => {
    const { get, authorized } = await served(bedWithSecret());
    const paths = [
      "/_svc/data/entry?workspace=w&id=none",
      "/_svc/data/project?workspace=w&project=none",
      "/_svc/data/entry?workspace=none&id=home",
      "/_svc/data/nothing?workspace=w",
      "/_svc/",
      "/_svc/page/none.js",
      "/_svc/page/..%2fpage.ts",
      "/_svc/page/%2e%2e/page.ts",
    ];
    for (const path of paths) expect((await get(path, authorized)).status, path).toBe(404);
  });
});
