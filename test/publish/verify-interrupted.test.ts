import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publish, write } from "../../src/publish/publish.ts";
import { rollback } from "../../src/publish/rollback.ts";
import { bytesBelow, statesBelow } from "../support/file-tree.ts";
import { current, publishEach, titled } from "../support/publish/releases.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

class Killed extends Error {}

/** Fails as soon as so many files of `out/` are written, as if the process ended there. */
function killedAfter(files: number) {
  return (done: number, _total: number, what: string): void => {
    if (what === "files written" && done === files) throw new Killed();
  };
}

function interruptPublish(bed: TestBed, files: number, workspace = "w"): void {
  const how = { strict: false, keep: 20, now: new Date(), onProgress: killedAfter(files) };
  const row = bed.store.workspace(workspace);
  expect(() => publish(bed.store, row, bed.out, how)).toThrow(Killed);
}

const TWO_PAGES = smallWorkspace({
  projects: [projectOf("site", "home", "news")],
  entries: [page("home", "Two"), page("news", "News")],
});

/** The first version stands in `out/`, the second is the current one. */
function interrupted(): TestBed {
  const bed = new TestBed();
  publishEach(bed, "One");
  bed.import(TWO_PAGES);
  interruptPublish(bed, 2);
  return bed;
}

describe("F5, F6: verify after a write that was interrupted", () => {
  it("says of which workspace and version, beside the files that differ", () => {
    const bed = interrupted();
    const { ok, differs, interrupted: writes } = bed.verify();
    expect(ok).toBe(false);
    expect(writes).toEqual([{ workspaceId: "w", versionId: current(bed) }]);
    expect(differs.length).toBeGreaterThan(0);
  });

  it("touches nothing of what was left", () => {
    const bed = interrupted();
    const states = statesBelow(bed.folder);
    bed.verify();
    expect(statesBelow(bed.folder)).toEqual(states);
  });

  it.each<[what: string, mend: (bed: TestBed) => unknown]>([
    ["write", (bed) => bed.write("w")],
    ["publish", (bed) => bed.publish({ workspace: "w" })],
    ["rollback", (bed) => bed.rollback(current(bed) ?? "", "w")],
  ])("is content once %s has brought out/ to exactly the current version", (_what, mend) => {
    const bed = interrupted();
    mend(bed);
    expect(bed.verify()).toEqual({ ok: true, files: 5, differs: [] });
    const clean = new TestBed(TWO_PAGES);
    clean.publish();
    expect(bytesBelow(bed.out)).toEqual(bytesBelow(clean.out));
  });

  it("says so of a rollback and of a write too", () => {
    const bed = new TestBed();
    const [one = "", two] = publishEach(bed, "One", "Two");
    const row = bed.store.workspace("w");
    const how = { now: new Date(), onProgress: killedAfter(1) };
    expect(() => rollback(bed.store, row, one, bed.out, how)).toThrow(Killed);
    expect(bed.verify().interrupted).toEqual([{ workspaceId: "w", versionId: one }]);
    bed.write();
    rmSync(join(bed.out, "404.json"));
    writeFileSync(join(bed.out, "api/v1/projects/site/index.json"), "{}\n");
    expect(() => write(bed.store, row, bed.out, { onProgress: killedAfter(1) })).toThrow(Killed);
    expect(bed.verify().interrupted).toEqual([{ workspaceId: "w", versionId: one }]);
    expect(one).not.toBe(two);
  });

  it("names each workspace whose write was interrupted, and one that is mended no more", () => {
    const bed = new TestBed();
    publishEach(bed, "One", smallWorkspace({ id: "other", projects: [projectOf("shop", "home")] }));
    bed.import(TWO_PAGES);
    bed.import(titled("New", { id: "other", projects: [projectOf("shop", "home")] }));
    interruptPublish(bed, 1, "w");
    interruptPublish(bed, 1, "other");
    const ids = () => bed.verify().interrupted?.map(({ workspaceId }) => workspaceId);
    expect(ids()?.toSorted()).toEqual(["other", "w"]);
    bed.write("w");
    expect(ids()).toEqual(["other"]);
    bed.write("other");
    expect(bed.verify()).toMatchObject({ ok: true });
  });

  it("says so although every file is right already, and until the write is ended", () => {
    const bed = new TestBed();
    publishEach(bed, "One");
    bed.import(TWO_PAGES);
    // Two contents, a schema and a config; 404.json; the manifest.
    interruptPublish(bed, 6);
    const interrupted = [{ workspaceId: "w", versionId: current(bed) }];
    expect(bed.verify()).toEqual({ ok: false, files: 5, differs: [], interrupted });
    bed.write();
    expect(bed.verify()).toEqual({ ok: true, files: 5, differs: [] });
  });

  it("says so when only a file that was being written beside its place was left", () => {
    const bed = new TestBed();
    publishEach(bed, "One");
    const path = "api/v1/projects/site/.svc-4711.tmp";
    writeFileSync(join(bed.out, path), "{");
    const { ok, differs, interrupted: writes } = bed.verify();
    expect([ok, writes]).toEqual([false, []]);
    expect(differs).toEqual([{ path, reason: "unexpected", detail: "left behind by a write" }]);
    bed.write();
    expect(bed.verify()).toEqual({ ok: true, files: 4, differs: [] });
  });

  it("says of a first write that there is no manifest since it was interrupted, and what to do", () => {
    const bed = new TestBed(titled("One"));
    interruptPublish(bed, 2);
    const hint = expect.stringContaining("svc write");
    const message = expect.stringContaining("interrupted");
    const told = expect.objectContaining({ code: "manifest-missing", message, hint });
    expect(() => bed.verify()).toThrow(told);
    bed.write();
    expect(bed.verify()).toMatchObject({ ok: true });
  });

  it("says nothing of it when files merely differ", () => {
    const bed = new TestBed();
    publishEach(bed, "One");
    writeFileSync(join(bed.out, "404.json"), "{}\n");
    expect(Object.keys(bed.verify())).toEqual(["ok", "files", "differs"]);
  });
});
