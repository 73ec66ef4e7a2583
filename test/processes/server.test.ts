import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isListening, LARGE, SlowReader } from "../server/slow-reader.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { ENDPOINTS, refusal } from "../support/server/serving.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const FILM = heldAsset("film", "film.mp4", "film", "video/mp4");

function publishedBed(): TestBed {
  const bed = new TestBed(
    smallWorkspace({
      entries: [page("home", "Home", { picture: { assetId: "film" } })],
      assets: [FILM.asset],
      files: new Map([FILM.file]),
    }),
  );
  bed.publish();
  return bed;
}

describe.each(["SIGINT", "SIGTERM"] as const)("a server that gets %s", (signal) => {
  it("completes pending requests, accepts no others, and exits with status 0", async () => {
    const bed = publishedBed();
    writeFileSync(join(bed.out, FILM.path), Buffer.alloc(LARGE, "x"));
    const server = await ServerProcess.start("serve", "--out", bed.out);
    const reader = await SlowReader.request(server.client.url, `/${FILM.path}`);
    server.signal(signal);
    while (await isListening(server.client.url));
    expect((await reader.read(LARGE)).equals(Buffer.alloc(LARGE, "x"))).toBe(true);
    reader.send(`GET ${ENDPOINTS[0]} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(await reader.next()).toBe("closed");
    expect(await server.end()).toBe(0);
    expect(server.stderr).not.toMatch(/error|\n +at /i);
  });

  it("exits with status 0 even right after it printed its address", async () => {
    const { out, store } = publishedBed();
    const command = signal === "SIGINT" ? ["preview", "--store", store.file] : ["serve"];
    const server = await ServerProcess.start(...command, "--out", out, "--json");
    server.signal(signal);
    expect(await server.end()).toBe(0);
  });
});

describe("svc serve", () => {
  it("--port 0 --json picks a free port and prints one line with the address", async () => {
    const { out } = publishedBed();
    const servers = await Promise.all(
      [1, 2].map(() => ServerProcess.start("serve", "--out", out, "--json")),
    );
    const urls = servers.map(({ stdout }) => JSON.parse(stdout).listening);
    expect(new Set(urls).size).toBe(2);
    for (const [index, server] of servers.entries()) {
      expect(urls[index]).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
      const { status } = await fetch(urls[index] + ENDPOINTS[0]);
      expect(status).toBe(200);
      server.signal("SIGTERM");
      expect(await server.end()).toBe(0);
      expect(server.stdout).toMatch(/^\{[^\n]*\}\n$/);
      expect(server.stderr).toBe("");
    }
  });

  it("H16: a busy port is one clear error, before anything is read", async () => {
    const busy = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void busy.close());
    await new Promise((resolve) => busy.once("listening", resolve));
    const { port } = busy.address() as AddressInfo;
    const { out, store } = publishedBed();
    const listening = ["--out", out, "--port", `${port}`];
    const preview = ["preview", "--store", store.file];
    for (const command of [["serve"], preview, ["dev", STOREFRONT]]) {
      const [error, hint] = await ServerProcess.refusal(...command, ...listening);
      expect(error).toBe(`error: port ${port} of 127.0.0.1 is in use`);
      expect(hint).toContain("--port");
    }
  });

  it.each(["192.0.2.1", "no such host"])(
    "a host that is not an address of this machine is one clear error: %s",
    async (host) => {
      const { out } = publishedBed();
      const [error, hint] = await ServerProcess.refusal("serve", "--out", out, "--host", host);
      expect(error).toContain(`"${host}"`);
      expect(hint).toContain("--host");
    },
  );

  it("a folder in which nothing is published is one clear error, and is not created", async () => {
    const out = join(temporaryFolder(), "nowhere");
    const [error, hint] = await ServerProcess.refusal("serve", "--out", out);
    expect(error).toContain(`"${out}"`);
    expect(hint).toContain("svc publish");
    expect(existsSync(out)).toBe(false);
  });
});

describe("svc preview", () => {
  it("serves drafts when nothing is published, and creates no folder", async () => {
    const bed = new TestBed(smallWorkspace({ previewToken: "t0ken-0123456789abcdef" }));
    const server = await ServerProcess.start(
      "preview",
      "--store",
      bed.store.file,
      "--out",
      bed.out,
    );
    const [path] = ENDPOINTS;
    expect(
      (await server.client.request(`${path}?preview_token=t0ken-0123456789abcdef`)).status,
    ).toBe(200);
    expect(refusal(await server.client.request(path))).toBe("404 project-not-found");
    expect(existsSync(bed.out)).toBe(false);
  });
});
