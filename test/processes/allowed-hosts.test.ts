import { expect, it } from "vitest";
import { ServerProcess } from "../support/server/server-process.ts";
import {
  type Answer,
  answerOf,
  ENDPOINTS,
  type HttpClient,
  problemOf,
  refusal,
} from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

const TARGETS = [
  ENDPOINTS[0],
  `${ENDPOINTS[0]}?preview_token=t0ken-0123456789abcdef`,
  "/",
  "/nowhere",
  "/_svc/page/main.js",
  "/_svc/data/overview",
  "/_svc/events",
];

async function answerTo(server: HttpClient, host: string, target = "/nowhere"): Promise<Answer> {
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close", "", ""];
  return answerOf(await server.raw(lines.join("\r\n")));
}

async function started(command: string, ...options: readonly string[]): Promise<HttpClient> {
  const bed = new TestBed(smallWorkspace({ previewToken: "t0ken-0123456789abcdef" }));
  bed.publish();
  const files = command === "preview" ? ["--store", bed.store.file] : [];
  return (await ServerProcess.start(command, ...files, "--out", bed.out, ...options)).client;
}

it("H6: svc preview accepts addresses, localhost, and the names that it was given, with any port", async () => {
  const names = ["--allow-host", "preview.example.com", "--allow-host", "Build-7"];
  const server = await started("preview", "--host", "localhost", ...names);
  const { host } = new URL(server.url);
  for (const name of [
    ...["127.0.0.1", host, "localhost", "LOCALHOST:80", "localhost.:4400", "[::1]:4400"],
    ...["shop.localhost", "192.168.1.7:4400", "[fe80::1]", "localhost:1"],
    ...["preview.example.com", "PREVIEW.example.com:8443", "build-7:80"],
  ])
    expect(refusal(await answerTo(server, name)), name).toBe("404 not-found");
  for (const name of [
    ...["evil.example", "evil.example:4400", "127.0.0.1.evil.example", "localhost.evil"],
    ...["evil-localhost", "", "0x7f.1", "[evil]", "a@localhost", "::1"],
    ...["example.com", "www.preview.example.com", "build-77"],
  ]) {
    for (const target of TARGETS) {
      const answer = await answerTo(server, name, target);
      expect(answer.text).not.toContain("versionId");
      expect(answer.status, `${name} ${target}`).toBeGreaterThan(399);
      // The host is checked before the key (DNS rebinding).
      if (name === "evil.example") expect(refusal(answer)).toBe("421 host-not-allowed");
    }
    const answer = await answerTo(server, name);
    expect(refusal(answer), name).toBe("421 host-not-allowed");
    expect(problemOf(answer).detail).toContain("--allow-host");
  }
});

it("svc serve accepts any Host, as its content is public", async () => {
  const server = await started("serve");
  expect((await answerTo(server, "cdn.example.com", ENDPOINTS[0])).status).toBe(200);
});
