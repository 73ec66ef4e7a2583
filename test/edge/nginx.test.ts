import { mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nginxConfig } from "../../src/deploy/edge/nginx.ts";
import { JSON_TYPE, PROBLEM_TYPE } from "../../src/http/published-headers.ts";
import { CliBed } from "../support/cli-bed.ts";
import { nginx, startHost } from "../support/requests/hosts.ts";
import { PICTURE, RequestedSite, urlOf } from "../support/requests/requested-site.ts";
import { startNginx } from "../support/requests/start-nginx.ts";
import { freePort } from "../support/server/free-port.ts";
import { type Answer, answerOf, ENDPOINTS, refusal } from "../support/server/serving.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const SECRET = "text of a file beside out";
const HASH = "0123456789abcdef";
const PICTURE_URL = urlOf(PICTURE.path);

describe("svc cdn nginx", () => {
  it("prints a configuration that a plain nginx accepts unchanged", async () => {
    const site = new RequestedSite();
    const port = await freePort();
    const bed = new CliBed();
    const args = ["--out", site.bed.out, "--port", String(port)];
    const client = await startNginx(
      (log) => bed.ok("cdn", "nginx", ...args, "--access-log", log).stdout,
      port,
    );
    expect((await client.request(ENDPOINTS[0])).text).toBe(
      site.file("api/v1/projects/site/index.json"),
    );
  });

  it("serves a release by a link that is replaced under load: each answer is a whole one", async () => {
    const sites = [new RequestedSite(), new RequestedSite()];
    const live = join(temporaryFolder(), "live");
    const link = (at: number) => {
      symlinkSync(sites[at % 2]?.bed.out ?? "", `${live}.new`);
      renameSync(`${live}.new`, live);
    };
    link(0);
    const port = await freePort();
    const client = await startNginx(
      (log) => nginxConfig({ out: live, port, accessLog: log }),
      port,
    );
    const text = sites[0]?.file("api/v1/projects/site/index.json");
    for (let at = 1; at <= 30; at += 1) {
      const asked = Array.from({ length: 20 }, () => client.request(ENDPOINTS[0]));
      link(at);
      for (const answer of await Promise.all(asked)) {
        expect([answer.status, answer.text]).toEqual([200, text]);
      }
    }
  });

  it("serves from a folder with spaces, quotes and backslashes in its name", async () => {
    const bed = new CliBed();
    const out = bed.path(`o "u' \\t ü`);
    mkdirSync(join(out, "assets", HASH), { recursive: true });
    writeFileSync(join(out, "assets", HASH, "a.txt"), "text");
    const port = await freePort();
    const args = ["--out", out, "--port", String(port), "--server-name", "a.example *.b.example"];
    const client = await startNginx(
      () => bed.ok("cdn", "nginx", ...args, "--access-log", "off").stdout,
      port,
    );
    expect((await client.request(`/assets/${HASH}/a.txt`)).text).toBe("text");
  });

  it("H2: its own ETag gives 304, also in a list, as a weak one, and for *", async () => {
    const client = await nginx(new RequestedSite());
    for (const path of [...ENDPOINTS, PICTURE_URL]) {
      const etag = (await client.request(path)).headers.get("ETag") ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const tags of [etag, `"x", ${etag}`, `W/${etag}`, "*"]) {
        const answer = await client.request(path, { headers: { "If-None-Match": tags } });
        expect([answer.status, answer.text, answer.headers.get("ETag")]).toEqual([304, "", etag]);
        expect(answer.headers.get("Cache-Control")).toMatch(/^public, max-age=/);
        expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
      }
      const other = await client.request(path, { headers: { "If-None-Match": '"x"' } });
      expect(other.status).toBe(200);
    }
  });

  it("H2: only the ETag counts: Last-Modified is not sent, If-Modified-Since ignored", async () => {
    const site = new RequestedSite();
    const client = await nginx(site);
    const { mtime } = statSync(join(site.bed.out, "api/v1/projects/site/index.json"));
    const headers = { "If-Modified-Since": mtime.toUTCString() };
    const answer = await client.request(ENDPOINTS[0], { headers });
    expect([answer.status, answer.headers.get("Last-Modified")]).toEqual([200, null]);
  });

  it("H3: an invalid token is refused even when If-None-Match matches", async () => {
    const client = await nginx(new RequestedSite());
    const headers = { "If-None-Match": "*" };
    const answer = await client.request(`${ENDPOINTS[0]}?preview_token=x`, { headers });
    expect(refusal(answer)).toBe("401 preview-token-invalid");
  });

  it("H1: serves no folder, and nothing outside out/ through a symbolic link", async () => {
    const site = new RequestedSite();
    const { out, folder } = site.bed;
    const [assets, projects] = [join(out, "assets"), join(out, "api/v1/projects")];
    const secrets = join(folder, "secrets");
    for (const made of [secrets, join(assets, HASH, "folder"), join(projects, "link")]) {
      mkdirSync(made, { recursive: true });
    }
    for (const name of ["secret.txt", "index.json"]) writeFileSync(join(secrets, name), SECRET);
    symlinkSync(join(secrets, "secret.txt"), join(assets, HASH, "link.txt"));
    symlinkSync(join(secrets, "index.json"), join(projects, "link/index.json"));
    symlinkSync(secrets, join(assets, "aaaaaaaaaaaaaaaa"));
    symlinkSync(secrets, join(projects, "linked"));
    const client = await nginx(site);
    for (const path of [`${HASH}/link.txt`, "aaaaaaaaaaaaaaaa/secret.txt", `${HASH}/folder`]) {
      expect(refusal(await client.request(`/assets/${path}`)), path).toBe("404 not-found");
    }
    for (const id of ["link", "linked"]) {
      expect(refusal(await client.request(`/api/v1/projects/${id}`))).toBe("404 project-not-found");
    }
  });

  it("H4: requests that nginx itself rejects get a problem document too", async () => {
    const client = await nginx(new RequestedSite());
    const raw = async (text: string): Promise<Answer> => answerOf(await client.raw(text));
    const long = "a".repeat(20_000);
    expect(refusal(await raw(`GET /${long} HTTP/1.1\r\nHost: x\r\n\r\n`))).toBe("431 bad-request");
    expect(refusal(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`))).toBe(
      "431 bad-request",
    );
    expect(refusal(await raw(`GET ${ENDPOINTS[0]} HTTP/1.1\r\nConnection: close\r\n\r\n`))).toBe(
      "400 bad-request",
    );
    expect(refusal(await raw("GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))).toBe(
      "404 not-found",
    );
    const body = `Host: x\r\nConnection: close\r\nContent-Length: 9000000\r\n\r\n`;
    expect(refusal(await raw(`POST ${ENDPOINTS[0]} HTTP/1.1\r\n${body}`))).toBe(
      "405 method-not-allowed",
    );
    expect((await raw("OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).status).toBe(
      204,
    );
    for (const [header, expected] of [
      ['If-Match: "x"', "400 bad-request"],
      ["Range: bytes=999999-", "416 bad-request"],
    ]) {
      const text = `GET ${ENDPOINTS[0]} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`;
      const answer = await raw(text);
      // nginx keeps the charset of the file that it began to send.
      answer.headers.set(
        "Content-Type",
        String(answer.headers.get("Content-Type")).split(";")[0] ?? "",
      );
      expect(refusal(answer), header).toBe(expected);
    }
  });

  it("does not send the version of nginx", async () => {
    const client = await nginx(new RequestedSite());
    for (const target of [ENDPOINTS[0], "/nowhere", "/%ZZ"]) {
      expect((await client.target(target)).headers.get("Server")).toBe("nginx");
    }
  });

  it("H4: with the preview down, requests with a token get 503, and published files are served", async () => {
    const client = await nginx(new RequestedSite(), `http://127.0.0.1:${await freePort()}`);
    const answer = await client.request(`${ENDPOINTS[0]}?preview_token=x`);
    expect(refusal(answer)).toBe("503 service-unavailable");
    expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect((await client.request(ENDPOINTS[0])).status).toBe(200);
  });

  it("H2: compresses documents and errors where gzip_types names their types", async () => {
    const site = new RequestedSite();
    const port = await freePort();
    const gzip =
      "gzip on;\ngzip_min_length 1;\ngzip_types application/json application/problem+json text/plain;\n";
    const client = await startNginx(
      (accessLog) => gzip + nginxConfig({ out: site.bed.out, port, accessLog }),
      port,
    );
    mkdirSync(join(site.bed.out, "assets", HASH), { recursive: true });
    writeFileSync(join(site.bed.out, "assets", HASH, "a.txt"), "text");
    for (const [path, type] of [
      [ENDPOINTS[0], JSON_TYPE],
      ["/nowhere", PROBLEM_TYPE],
      [`/assets/${HASH}/a.txt`, "text/plain; charset=utf-8"],
    ]) {
      const headers = { "Accept-Encoding": "gzip" };
      const answer = await client.request(path ?? "", { headers });
      expect([answer.headers.get("Content-Encoding"), answer.headers.get("Content-Type")]).toEqual([
        "gzip",
        type,
      ]);
    }
  });

  it("H5: responses of the preview have each header once", async () => {
    const site = new RequestedSite();
    const send = await startHost("nginx-preview", site);
    const target = `${ENDPOINTS[0]}?preview_token=$VALID`;
    const [answer] = await send([{ rule: "", target, expected: "preflight" }]);
    expect(answer?.status).toBe(200);
    expect(answer?.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(answer?.headers.get("Cache-Control")).toBe("no-store");
  });

  it("H50: passes on the stream of events of a draft, with a token alone", async () => {
    const send = await startHost("nginx-preview", new RequestedSite());
    const target = `${ENDPOINTS[0]}/events`;
    const [stream, none] = await send([
      {
        rule: "",
        method: "HEAD",
        target: `${target}?preview_token=$VALID`,
        expected: "preflight",
      },
      { rule: "", target, expected: "preflight" },
    ]);
    expect(stream?.status).toBe(200);
    expect(stream?.headers.get("Content-Type")).toBe("text/event-stream");
    expect(none?.status).toBe(404);
  });
});
