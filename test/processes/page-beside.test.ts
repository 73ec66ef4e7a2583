import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DraftThread } from "../../src/cli/threads/draft-thread.ts";
import { DraftThreads } from "../../src/cli/threads/draft-threads.ts";
import { FolderReader } from "../../src/folder/folder-reader.ts";
import { posted } from "../../src/folder/posted-change.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { openStore } from "../../src/store/store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { PreviewBed } from "../support/server/preview-bed.ts";
import { newStore } from "../support/store/new-store.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { makeSite } from "../support/workspaces/make-site.ts";
import { PAGE_MODEL, page } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

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

/** Such a store, and the queries about it on a thread. */
function threadOfMany(finishWithin?: number): DraftThread {
  return threadOf(join(temporaryFolder(), "workspace.db"), finishWithin);
}

function threadOf(file: string, finishWithin?: number): DraftThread {
  return new DraftThread(sourceOf(file), finishWithin);
}

function sourceOf(file: string) {
  writeStore(file);
  const store = openStore(file);
  const { identity } = store;
  store.close();
  return () => ({ store: file, identity });
}

describe("H12: what the page computes of a complete draft", () => {
  it("delays no other request", async () => {
    const { ask } = await previewOfMany();
    const answered: string[] = [];
    const changes = ask(CHANGES).then(async (response) => {
      expect((await response.json()).summary.documents.added).toBeGreaterThan(480);
      answered.push("changes");
    });
    // The thread is at work by then; the request below would wait for it on the server's own.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const path of ["/api/v1/projects/none", "/_svc/data/overview", "/"]) {
      await (await ask(path)).text();
      answered.push(path);
    }
    await changes;
    expect(answered.at(-1)).toBe("changes");
  });

  it("ends at any time of its start, also as SQLite is loaded", async () => {
    const source = sourceOf(join(temporaryFolder(), "workspace.db"));
    for (let at = 0; at < 12; at += 1) {
      const thread = new DraftThread(source);
      thread.start();
      await new Promise((resolve) => setTimeout(resolve, at * 15));
      await thread.close();
      expect(thread.isRunning).toBe(false);
    }
  });

  it("H37: search does not wait for the check", async () => {
    const file = join(temporaryFolder(), "workspace.db");
    const threads = new DraftThreads(sourceOf(file));
    const answered: string[] = [];
    const ask = async (name: "entries" | "standing") => {
      await threads.answer(name, "workspace=bench&q=a", AbortSignal.any([]));
      answered.push(name);
    };
    await ask("entries");
    const checked = ask("standing");
    await ask("entries");
    await checked;
    expect(answered).toEqual(["entries", "entries", "standing"]);
    await threads.close();
  });

  it("H37: a thread that has started has every change of a folder, those before its first query too", async () => {
    const folder = workspaceFolder({
      "models.json": [PAGE_MODEL],
      "entries.json": [page("home", "Home"), page("old", "Old page")],
    });
    const reader = new FolderReader(folder);
    const threads = new DraftThreads(() => ({ folder: undefined }));
    threads.start();
    threads.change(posted(reader.read()));
    const entries = [{ ...page("away", "Away"), draft: true }, page("home", "Home again")];
    writeFileSync(join(folder, "entries.json"), JSON.stringify(entries));
    threads.change(posted(reader.read()));
    const found = await threads.answer("entries", "workspace=w&q=a", AbortSignal.any([]));
    expect(JSON.parse(found ?? "").rows).toMatchObject([
      { title: "Away", modelName: "Page", hidden: expect.anything() },
      { title: "Home again", modelName: "Page", hidden: null },
    ]);
    await threads.close();
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
    const thread = threadOfMany(0);
    const gone = new AbortController();
    const changes = thread.answer("changes", "workspace=bench", gone.signal);
    const waiting = new AbortController();
    const queued = thread.answer("problems", "workspace=bench", waiting.signal);
    for (const one of [changes, queued]) one.catch(() => {});
    expect(thread.isRunning).toBe(true);
    waiting.abort();
    gone.abort();
    await expect(changes).rejects.toThrow("the client disconnected");
    await expect(queued).rejects.toThrow("the client disconnected");
    await expect.poll(() => thread.isRunning).toBe(false);
    const counts = await thread.answer("standing", "workspace=bench", AbortSignal.any([]));
    expect(JSON.parse(counts ?? "")).toMatchObject({ problems: { errors: 0, warnings: 0 } });
    await thread.close();
    expect(thread.isRunning).toBe(false);
    await expect(thread.answer("problems", "workspace=bench", AbortSignal.any([]))).rejects.toThrow(
      "the preview is stopping",
    );
  });

  it("is finished after its client is gone when that is soon, so that the next query is fast", async () => {
    const thread = threadOfMany();
    const gone = new AbortController();
    const first = thread.answer("standing", "workspace=bench", gone.signal);
    gone.abort();
    await expect(first).rejects.toThrow("the client disconnected");
    await thread.answer("standing", "workspace=bench", AbortSignal.any([]));
    expect(thread.isRunning).toBe(true);
    await thread.close();
  });

  it.each([
    ["when it starts", 0, "store-not-sqlite"],
    ["when it answers", 1_000_000, "store-damaged"],
  ])("says what a user can fix that fails %s", async (_when, from, code) => {
    const file = join(temporaryFolder(), "workspace.db");
    const thread = threadOf(file);
    writeFileSync(file, readFileSync(file).fill("damage ", from));
    const answer = thread.answer("problems", "workspace=bench", AbortSignal.any([]));
    const error = await answer.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SvcError);
    expect(error).toMatchObject({ code, hint: expect.stringMatching(/\w/) });
    expect(thread.isRunning).toBe(from > 0);
    await thread.close();
  });
});
