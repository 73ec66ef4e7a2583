import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DraftThread } from "../../src/cli/threads/draft-thread.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { PreviewBed } from "../support/server/preview-bed.ts";
import { newStore } from "../support/store/new-store.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { makeSite } from "../support/workspaces/make-site.ts";

/** Changes of a draft that was never published: every document is rendered. */
const CHANGES = "/_svc/data/changes?workspace=bench";

let known: Buffer | undefined;

/** Writes a store with 5,000 entries, which is made once. */
function writeStore(file: string): void {
  if (known === undefined) {
    const folder = temporaryFolder();
    makeSite(join(folder, "content"), { experiences: 480 });
    const store = newStore(join(folder, "workspace.db"));
    store.import(readFolder(join(folder, "content")), new Date());
    store.close();
    known = readFileSync(join(folder, "workspace.db"));
  }
  writeFileSync(file, known);
}

async function previewOfMany() {
  const bed = new PreviewBed();
  writeStore(bed.path("workspace.db"));
  await bed.startStore();
  const headers = { Authorization: `Bearer ${bed.key}` };
  const ask = (path: string) => fetch(new URL(path, bed.link), { headers });
  return { bed, ask };
}

const SILENT = { live() {}, note() {}, failed() {}, updated() {} };

/** The owner of such a store in a thread. */
function threadOf(file = join(temporaryFolder(), "workspace.db")): DraftThread {
  writeStore(file);
  return new DraftThread({ store: file, comparedWith: { store: file } }, SILENT);
}

const OF_BENCH = "workspace=bench";

describe("H12: what the page computes of a complete draft", () => {
  it("delays no other request", async () => {
    const { ask } = await previewOfMany();
    const answered: string[] = [];
    const changes = ask(CHANGES).then(async (response) => {
      expect((await response.json()).summary.documents.added).toBeGreaterThan(480);
      answered.push("changes");
    });
    // The thread is at work by then; the requests below come between its slices.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const path of ["/api/v1/projects/none", "/_svc/data/overview", "/"]) {
      await (await ask(path)).text();
      answered.push(path);
    }
    await changes;
    expect(answered.at(-1)).toBe("changes");
  });

  it("ends at any time of its start, also as SQLite is loaded", async () => {
    const file = join(temporaryFolder(), "workspace.db");
    for (let at = 0; at < 12; at += 1) {
      const thread = threadOf(file);
      const opened = thread.owner.open().catch(({ code }) => code);
      await new Promise((resolve) => setTimeout(resolve, at * 15));
      await thread.close();
      expect([undefined, "preview-stopped"]).toContain(await opened);
    }
  });

  it("H12, H37: is worked out in slices, between which what is quick is answered", async () => {
    const thread = threadOf();
    const { owner } = thread;
    await owner.open();
    const answered: string[] = [];
    const ask = async (name: string) => {
      await owner.answer(name, `${OF_BENCH}&q=a`);
      answered.push(name);
    };
    const slow = ["standing", "uses", "problems"].map(ask);
    await ask("entries");
    await ask("definitions");
    await Promise.all(slow);
    expect(answered.slice(0, 2)).toEqual(["entries", "definitions"]);
    await thread.close();
  });

  it("is given up when the preview is stopped", async () => {
    const { bed, ask } = await previewOfMany();
    const changes = ask(CHANGES);
    await new Promise((resolve) => setTimeout(resolve, 50));
    bed.server.signal("SIGTERM");
    const { status } = await changes;
    expect(status).toBe(503);
    expect(await bed.server.end()).toBe(0);
    expect(bed.server.stderr).not.toContain("a request failed");
  });

  it("is given up when the client is gone, and the next query is answered", async () => {
    const thread = threadOf();
    const { owner } = thread;
    await owner.open();
    const gone = new AbortController();
    const changes = owner.answer("changes", OF_BENCH, gone.signal);
    gone.abort();
    await expect(changes).rejects.toThrow("aborted");
    const counts = await owner.answer("standing", OF_BENCH);
    expect(JSON.parse(String(counts))).toMatchObject({ problems: { errors: 0, warnings: 0 } });
    await thread.close();
    await expect(owner.answer("problems", OF_BENCH)).rejects.toThrow("the preview is stopping");
  });

  it.each([
    ["when it starts", 0, "store-not-sqlite"],
    ["when it answers", 1_000_000, "store-damaged"],
  ])("says what a user can fix that fails %s", async (_when, from, code) => {
    const file = join(temporaryFolder(), "workspace.db");
    const thread = threadOf(file);
    writeFileSync(file, readFileSync(file).fill("damage ", from));
    const { owner } = thread;
    const answer = owner.open().then(() => owner.answer("problems", OF_BENCH));
    const error = await answer.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SvcError);
    expect(error).toMatchObject({ code, hint: expect.stringMatching(/\w/) });
    await thread.close();
  });
});
