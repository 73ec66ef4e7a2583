import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server/server-process.ts";
import { type Answer, ENDPOINTS } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const CLIENTS = 50;
const ROUNDS = 6;

/** Drafts whose documents differ in length, from one chunk of a file to many. */
const DRAFTS = [1, 150_000, 400_000].map((length) =>
  smallWorkspace({ entries: [page("home", "x".repeat(length))] }),
);

describe("files that are replaced while they are read", () => {
  it("H2: 50 clients never get a torn document, or the ETag of another version", async () => {
    const bed = new TestBed();
    const versionIds = DRAFTS.map((draft) => {
      bed.import(draft);
      return bed.publish().versionId;
    });
    const server = await ServerProcess.start("serve", "--out", bed.out, "--json");

    const answers: { path: string; answer: Answer }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const asking = Array.from({ length: CLIENTS }, async (_, client) => {
        const path = ENDPOINTS[client % ENDPOINTS.length] ?? "";
        answers.push({ path, answer: await server.client.request(path) });
      });
      let done = false;
      const settled = Promise.allSettled(asking).then(() => {
        done = true;
      });
      for (let turn = round; !done; turn += 1) {
        bed.import(DRAFTS[turn % DRAFTS.length] ?? {});
        bed.publish();
        for (let pause = 0; pause < 10; pause += 1) await tick();
      }
      await settled;
      await Promise.all(asking);
    }

    /** By path and ETag: the complete text. */
    const texts = new Map<string, string>();
    const seen = new Set<string>();
    for (const { path, answer } of answers) {
      const { status, headers, text } = answer;
      expect(status).toBe(200);
      expect(headers.get("Content-Length")).toBe(String(Buffer.byteLength(text)));
      const document = JSON.parse(text);
      const versionId = document.versionId ?? document["x-svc-version-id"];
      expect(versionIds).toContain(versionId);
      seen.add(`${path} ${versionId}`);
      const tagged = `${path} ${headers.get("ETag")}`;
      expect(texts.get(tagged) ?? text).toBe(text);
      texts.set(tagged, text);
    }
    // One ETag per version of each document, and versions have changed during the test.
    expect(texts.size).toBe(seen.size);
    expect(seen.size).toBeGreaterThan(ENDPOINTS.length);
    expect(server.stderr).toBe("");
  });
});
