import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { bytesBelow, pathsBelow, statesBelow } from "../support/file-tree.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { start } from "./processes.ts";

/** Holds a lock as another process does, until it is released or the test ends. */
function hold(file: string, sql: string): () => void {
  const other = new Database(file);
  other.exec(sql);
  onTestFinished(() => void other.close());
  return () => other.close();
}

const holdOut = (out: string) => {
  mkdirSync(out, { recursive: true });
  return hold(join(out, ".svc-lock"), "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
};

/** A store with two versions, the later one current and in `out/`, and a changed draft. */
function changedBed() {
  const bed = new TestBed(smallWorkspace());
  const { versionId: first } = bed.publish();
  bed.import(smallWorkspace({ entries: [page("home", "Second")] }));
  bed.publish();
  bed.import(smallWorkspace({ entries: [page("home", "Third")] }));
  const state = () => ({ rows: storeRows(bed.store.file), files: statesBelow(bed.out) });
  return { bed, first, state };
}

describe("cli.md: an error leaves nothing half done, when another process holds a lock", () => {
  it("out-locked: commands that write to a locked folder wait, fail, and change nothing", async () => {
    const { bed, first, state } = changedBed();
    const free = holdOut(bed.out);
    const before = state();
    const startedAt = performance.now();
    const outcomes = await Promise.all([
      start(bed.folder, "publish"),
      start(bed.folder, "write"),
      start(bed.folder, "rollback", first),
    ]);
    expect(performance.now() - startedAt).toBeGreaterThan(4_500);
    for (const { status, value } of outcomes) {
      const error = { code: "out-locked", message: expect.any(String), hint: expect.any(String) };
      expect({ status, value }).toEqual({ status: 3, value: { error } });
    }
    expect(state()).toEqual(before);
    free();
    expect((await start(bed.folder, "publish")).status).toBe(0);
    expect(pathsBelow(bed.out)).not.toContain(".svc-lock");
  }, 30_000);

  it("a waiting command continues when the folder is unlocked", async () => {
    const { bed } = changedBed();
    const free = holdOut(bed.out);
    const publishing = start(bed.folder, "publish");
    setTimeout(free, 1_000);
    expect(await publishing).toMatchObject({ status: 0, value: { published: true } });
    expect(bed.verify().ok).toBe(true);
  }, 30_000);
});

describe("verify while another process writes", () => {
  it("fails with out-locked when files differ, and succeeds when none does", async () => {
    const { bed } = changedBed();
    holdOut(bed.out);
    expect(await start(bed.folder, "verify")).toMatchObject({ status: 0, value: { ok: true } });
    rmSync(join(bed.out, "404.json"));
    const { status, value } = await start(bed.folder, "verify");
    expect({ status, code: value.error?.code }).toEqual({ status: 3, code: "out-locked" });
  });

  it("fails with out-locked during the first write, and reports interrupted after it", async () => {
    const bed = new TestBed(smallWorkspace());
    const free = holdOut(bed.out);
    const pending = { w: { files: [], versionId: "0".repeat(32) } };
    writeFileSync(join(bed.out, ".svc-writing.json"), JSON.stringify(pending));
    const during = await start(bed.folder, "verify");
    expect({ status: during.status, code: during.value.error?.code }).toEqual({
      status: 3,
      code: "out-locked",
    });
    free();
    const { status, value } = await start(bed.folder, "verify");
    expect({ status, code: value.error?.code }).toEqual({ status: 3, code: "manifest-missing" });
    expect(value.error.message).toContain("interrupted");
  });

  it("changes no file", async () => {
    const { bed } = changedBed();
    holdOut(bed.out);
    const before = bytesBelow(bed.out);
    await start(bed.folder, "verify");
    expect(bytesBelow(bed.out)).toEqual(before);
  });
});
