import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CliBed, STARTER, STOREFRONT } from "../support/cli.ts";
import { ServerProcess } from "../support/server-process.ts";
import { ENDPOINTS, refusal } from "../support/serving.ts";
import { isListening, LARGE, SlowReader } from "../support/slow-reader.ts";
import { heldAsset, page, smallWorkspace } from "../support/small-workspace.ts";
import { TestBed } from "../support/test-bed.ts";

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
  it("lets a request under way end, takes no other, and exits with status 0", async () => {
    const bed = publishedBed();
    writeFileSync(join(bed.out, FILM.path), Buffer.alloc(LARGE, "x"));
    const server = await ServerProcess.start("serve", "--out", bed.out);
    const reader = await SlowReader.ask(server.asker.url, `/${FILM.path}`);
    server.signal(signal);
    while (await isListening(server.asker.url));
    expect((await reader.read(LARGE)).equals(Buffer.alloc(LARGE, "x"))).toBe(true);
    reader.close();
    expect(await server.end()).toBe(0);
    expect(server.stderr).not.toMatch(/error|\n +at /i);
  });

  it("exits with status 0 even if it told its address only now", async () => {
    const { out, store } = publishedBed();
    const command = signal === "SIGINT" ? ["preview", "--store", store.file] : ["serve"];
    const server = await ServerProcess.start(...command, "--out", out, "--json");
    server.signal(signal);
    expect(await server.end()).toBe(0);
  });
});

describe("svc serve", () => {
  it("--port 0 --json takes a free port and prints one line with the address", async () => {
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

  it("a busy port is one clear error, with exit status 1", async () => {
    const busy = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void busy.close());
    await new Promise((resolve) => busy.once("listening", resolve));
    const { port } = busy.address() as AddressInfo;
    const { out, store } = publishedBed();
    const bed = new CliBed();
    const listening = ["--out", out, "--port", `${port}`];
    const told = `error: port ${port} of 127.0.0.1 is in use`;
    expect(bed.failure(1, "serve", ...listening)).toEqual([told, expect.stringMatching(/^hint: /)]);
    const preview = bed.json(1, "preview", "--store", store.file, ...listening);
    expect(`error: ${preview.error.message}`).toBe(told);
  });

  it.each(["192.0.2.1", "no such host"])(
    "a host that is none of this machine's is one clear error: %s",
    (host) => {
      const { out } = publishedBed();
      const [error] = new CliBed().failure(1, "serve", "--out", out, "--port", "0", "--host", host);
      expect(error).toMatch(/^error: .*address of this machine/);
      expect(error).toContain(`"${host}"`);
    },
  );

  it("a folder in which nothing is published is one clear error", () => {
    const bed = new CliBed();
    const [error, hint] = bed.failure(1, "serve", "--out", "nowhere", "--port", "0");
    expect(error).toContain('"nowhere"');
    expect(hint).toContain("svc publish");
    expect(existsSync(bed.path("nowhere"))).toBe(false);
  });
});

describe("svc preview", () => {
  it("<folder> imports it first", async () => {
    const bed = new CliBed();
    const [store, out] = [bed.path("w.db"), bed.path("out")];
    const server = await ServerProcess.start("preview", STOREFRONT, "--store", store, "--out", out);
    const draft = await server.asker.ask(
      "/api/v1/projects/prj_web?preview_token=storefront-demo-token",
    );
    expect(JSON.parse(draft.text)).toMatchObject({ id: "prj_web", versionId: null });
    expect(refusal(await server.asker.ask("/api/v1/projects/prj_web"))).toBe(
      "404 project-not-found",
    );
    server.signal("SIGTERM");
    expect(await server.end()).toBe(0);
    expect(bed.json(0, "token", "list", "--store", store).tokens).toHaveLength(1);
  });

  it("a store or a folder that is not there is one clear error, and nothing is made", () => {
    const bed = new CliBed();
    const port = ["--port", "0"];
    expect(bed.failure(1, "preview", "--store", "none.db", ...port)[0]).toContain('"none.db"');
    expect(bed.failure(1, "preview", "nowhere", "--store", "w.db", ...port)[0]).toContain(
      "nowhere",
    );
    expect(existsSync(bed.path("none.db"))).toBe(false);
  });

  it("serves drafts and no published documents where there is no out folder", async () => {
    const bed = new CliBed();
    bed.ok("import", STARTER);
    const { token } = bed.json(0, "token", "create");
    const store = bed.path("workspace.db");
    const out = bed.path("out");
    const server = await ServerProcess.start("preview", "--store", store, "--out", out, "--json");
    const [path] = ENDPOINTS;
    expect(refusal(await server.asker.ask(path))).toBe("404 project-not-found");
    expect((await server.asker.ask(`${path}?preview_token=${token}`)).status).toBe(200);
    expect(existsSync(out)).toBe(false);
  });
});
