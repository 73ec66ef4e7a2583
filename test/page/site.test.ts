import { createServer } from "node:http";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { AccessKey } from "../../src/page/access-key.ts";
import { pageFiles } from "../../src/page/page-files.ts";
import { pageHandler } from "../../src/page/page-handler.ts";
import { type Sites, siteAddress, siteOrigins, siteTemplate } from "../../src/page/site-address.ts";
import { probedSite } from "../../src/page/site-probe.ts";
import { LiveDrafts } from "../../src/server/live-drafts.ts";
import { host } from "../support/server/hosts.ts";
import { listening } from "../support/server/listening.ts";
import { ownerOf } from "../support/server/owner-of.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const SITE = "http://localhost:3000";
const experience = { id: "e~1", key: "über uns", name: "About", stepIds: [] };
const project = { ...projectOf("shop", "home"), locale: "de", experiences: [experience] };
const shownBy = (template: string, locale: string | undefined = "de") =>
  siteAddress(new Map([["", siteTemplate(template)]]), {
    project: { ...project, locale } as never,
    experience,
  });

describe("H46: the addresses of a site", () => {
  it("H46: are those of a template, with encoded values, or of an origin or a prefix", () => {
    expect(shownBy(SITE)).toBe(`${SITE}/de/%C3%BCber%20uns`);
    expect(shownBy(`${SITE}/app/`)).toBe(`${SITE}/app/de/%C3%BCber%20uns`);
    expect(shownBy(SITE, "")).toBe(`${SITE}/%C3%BCber%20uns`);
    expect(shownBy(` ${SITE}/p?project={project.id}&of={experience.id}#{locale} `)).toBe(
      `${SITE}/p?project=shop&of=e~1#de`,
    );
    const evil = { ...experience, key: `"><script>/../?#{locale}` };
    const sites = new Map([["", siteTemplate(SITE)]]);
    const address = siteAddress(sites, { project: project as never, experience: evil });
    expect(address).toBe(`${SITE}/de/${encodeURIComponent(evil.key)}`);
  });

  it("H46: of a project its own, else that of all", () => {
    const sites: Sites = new Map([
      ["shop", `${SITE}/s/{experience.id}`],
      ["", "https://all.example/{project.id}"],
    ]);
    const other = { ...project, id: "constructor" } as never;
    expect(siteAddress(sites, { project: project as never, experience })).toBe(`${SITE}/s/e~1`);
    expect(siteAddress(sites, { project: other, experience })).toBe(
      "https://all.example/constructor",
    );
    const none = new Map([["shop", SITE]]);
    expect(siteAddress(none, { project: other, experience })).toBeUndefined();
    expect(siteOrigins(sites)).toEqual([SITE, "https://all.example"]);
  });

  it.each([
    ["localhost:3000", "by http or https"],
    ["/de", "by http or https"],
    ["ftp://localhost/", "by http or https"],
    ["javascript:alert(1)", "by http or https"],
    ["http://{locale}.example/", "by http or https"],
    ["http://localhost{experience.key}", "by http or https"],
    ["http://localhost:30{experience.key}/", "by http or https"],
    ["http://x:99999/", "by http or https"],
    ["http://localhost:3000 /x", "no blanks"],
    ["http://h\n;sandbox", "no blanks"],
    ["http://localhost:3000\t9", "no blanks"],
    ["http://localhost/\u0000", "no blanks"],
    ["http://me:secret@localhost/", "no user and no password"],
    ["http://*/", "cannot be shown"],
    ["http://a;script-src'unsafe-inline'/", "cannot be shown"],
    ["http://a;b/", "cannot be shown"],
    ["http://'none'/", "cannot be shown"],
    ["http://[::1]:3000/", "cannot be shown"],
    ["http://localhost/{experiance.key}", "{experiance.key} stands for nothing in it; known are"],
    ["http://localhost/{constructor}", "{constructor} stands for nothing"],
    ["http://localhost/{locale", "a brace stands for nothing"],
  ])("H46: %s is refused", (given, message) => {
    expect(() => siteTemplate(given)).toThrow(message);
  });
});

describe("H46a: whether the site answers", () => {
  const signal = new AbortController().signal;

  it("H46a: is asked by HEAD; a redirect is not followed, and who refuses frames is known", async () => {
    const asked: string[] = [];
    let headers: Record<string, string> = {};
    const origin = await host(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.writeHead(headers.Location === undefined ? 200 : 302, headers).end();
    });
    const stateWith = (given: Record<string, string>) => {
      headers = given;
      return probedSite(`${origin}/de/home`, signal);
    };
    expect(await stateWith({})).toBe("answers");
    expect(await stateWith({ Location: `${origin}/elsewhere` })).toBe("answers");
    expect(await stateWith({ "X-Frame-Options": "SAMEORIGIN" })).toBe("refuses");
    expect(await stateWith({ "Content-Security-Policy": "a b; frame-ancestors 'none'" })).toBe(
      "refuses",
    );
    const allowed = "frame-ancestors http://127.0.0.1:4400";
    expect(await stateWith({ "X-Frame-Options": "DENY", "Content-Security-Policy": allowed })).toBe(
      "answers",
    );
    expect(new Set(asked)).toEqual(new Set(["HEAD /de/home"]));
  });

  it("H46a: silence, a broken answer and endless headers are no answer", async () => {
    const endless = createServer();
    endless.on("connection", (socket) => {
      socket.on("error", () => {}).write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write(`x: ${"y".repeat(9000)}\r\n`), 5);
      socket.once("close", () => clearInterval(timer));
    });
    expect(await probedSite(`${await listening(endless)}/`, signal)).toBe("silent");
    const origin = await host((_request, response) => void response.socket?.end("no HTTP"));
    expect(await probedSite(origin, signal)).toBe("silent");
    expect(await probedSite("http://127.0.0.1:1/", signal)).toBe("silent");
  });
});

describe("the page with a site", () => {
  const key = new AccessKey();
  let bed: TestBed;
  let origin: string;
  const get = async (path: string, headers = { Authorization: `Bearer ${key.text}` }) => {
    const response = await fetch(origin + path, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const site = (of: string) => get(`/_svc/data/site?workspace=w&project=site&experience=${of}`);

  beforeEach(async () => {
    bed = new TestBed(smallWorkspace({ entries: [page("home", "Home"), page("x", "X")] }));
    const { store: drafts } = bed;
    const onDefect = (error: unknown) => expect.unreachable(String(error));
    const live = new LiveDrafts(drafts, onDefect);
    onTestFinished(() => live.close());
    const sites: Sites = new Map([["", "http://127.0.0.1:1/{experience.key}"]]);
    const options = { owner: ownerOf(drafts), live, key, sites, onDefect };
    origin = await host(pageHandler(options, () => expect.unreachable()));
  });

  it("H46b: only its document may frame, and only the site's origins", async () => {
    const { headers } = await get("/");
    const policy = headers.get("Content-Security-Policy");
    expect(policy).toContain("; frame-src 'self' http://127.0.0.1:1; frame-ancestors 'none';");
    const { headers: other } = await get("/_svc/data/overview");
    expect(other.get("Content-Security-Policy")).toContain("; frame-src 'self';");
  });

  it("H46, H47a: says where an experience is, with a mark that changes with what it shows", async () => {
    const first = JSON.parse((await site("home")).text);
    expect(first).toEqual({ address: "http://127.0.0.1:1/home", mark: expect.any(String) });
    bed.import(smallWorkspace({ entries: [page("home", "Home"), page("x", "Another")] }));
    expect(JSON.parse((await site("home")).text)).toEqual(first);
    bed.import(smallWorkspace({ entries: [page("home", "Changed"), page("x", "Another")] }));
    expect(JSON.parse((await site("home")).text).mark).not.toBe(first.mark);
    expect((await site("none")).status).toBe(404);
  });

  it("H46a, H8: asks the site only for who has the key, and nothing but a page of the site", async () => {
    const path = "/_svc/data/site-state?workspace=w&project=site&experience=";
    expect((await get(`${path}home`, { Authorization: "" })).status).toBe(401);
    expect((await get(`${path}http://127.0.0.1:4400/`)).status).toBe(404);
    expect(JSON.parse((await get(`${path}home`)).text)).toEqual({ state: "silent" });
  });

  it("H47: the script for the site has at most 1,024 bytes, and may be loaded by it", async () => {
    const { status, headers, text } = await get("/_svc/site.js", { Authorization: "" });
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
    expect(text).toBe(pageFiles().siteScript.text);
    expect(headers.get("Content-Type")).toContain("text/javascript");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});
