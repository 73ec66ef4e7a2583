import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publish, rollback, write } from "../../src/publish/publish.ts";
import { bytesBelow, statesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { current, publishEach, titled } from "../support/publish/published-versions.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { stopAfter } from "./stopped-bed.ts";

class Killed extends Error {}

const killedAfter = (files: number) => stopAfter(files, () => new Killed());

function interruptPublish(bed: TestBed, files: number, workspace = "w"): void {
  const how = { strict: false, keep: 20, now: new Date(), onProgress: killedAfter(files) };
  expect(() => publish(inStore(bed.store, workspace), bed.out, how)).toThrow(Killed);
}

const TWO_PAGES = smallWorkspace({
  projects: [projectOf("site", "home", "news")],
  entries: [page("home", "Two"), page("news", "News")],
});

/** `out/` mostly has the first version, the second is current. */
function interruptedBed(): TestBed {
  const bed = new TestBed();
  publishEach(bed, "One");
  bed.import(TWO_PAGES);
  interruptPublish(bed, 2);
  return bed;
}

describe("F5, F6: verify after an interrupted write", () => {
  it("reports its workspace and version, with the files that differ", () => {
    const bed = interruptedBed();
    const { ok, differs, interrupted: writes } = bed.verify();
    expect(ok).toBe(false);
    expect(writes).toEqual([{ workspaceId: "w", versionId: current(bed) }]);
    expect(differs.length).toBeGreaterThan(0);
  });

  it("changes no file", () => {
    const bed = interruptedBed();
    const states = statesBelow(bed.folder);
    bed.verify();
    expect(statesBelow(bed.folder)).toEqual(states);
  });

  it.each<[what: string, repair: (bed: TestBed) => unknown]>([
    ["write", (bed) => bed.write("w")],
    ["publish", (bed) => bed.publish({ workspace: "w" })],
    ["rollback", (bed) => bed.rollback(current(bed) ?? "", "w")],
  ])("succeeds after %s has completed the current version", (_what, repair) => {
    const bed = interruptedBed();
    repair(bed);
    expect(bed.verify()).toEqual({ ok: true, files: 5, differs: [] });
    const clean = new TestBed(TWO_PAGES);
    clean.publish();
    expect(bytesBelow(bed.out)).toEqual(bytesBelow(clean.out));
  });

  it("reports an interrupted rollback and an interrupted svc write", () => {
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

  it("reports each workspace until its write is completed", () => {
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

  it("reports a write that was interrupted after its last file", () => {
    const bed = new TestBed();
    publishEach(bed, "One");
    bed.import(TWO_PAGES);
    // Two contents, a schema and a config; the manifest.
    interruptPublish(bed, 5);
    const interrupted = [{ workspaceId: "w", versionId: current(bed) }];
    expect(bed.verify()).toEqual({ ok: false, files: 5, differs: [], interrupted });
    bed.write();
    expect(bed.verify()).toEqual({ ok: true, files: 5, differs: [] });
  });

  it("reports a temporary file as an interrupted write", () => {
    const bed = new TestBed();
    publishEach(bed, "One");
    const path = ".svc-writing.tmp";
    writeFileSync(join(bed.out, path), "{");
    const { ok, differs, interrupted: writes } = bed.verify();
    expect([ok, writes]).toEqual([false, []]);
    expect(differs).toEqual([{ path, reason: "unexpected", detail: "left behind by a write" }]);
    bed.write();
    expect(bed.verify()).toEqual({ ok: true, files: 4, differs: [] });
  });

  it("reports an interrupted first write as a missing manifest, with a hint", () => {
    const bed = new TestBed(titled("One"));
    interruptPublish(bed, 2);
    const hint = expect.stringContaining("svc write");
    const message = expect.stringContaining("interrupted");
    const failure = expect.objectContaining({ code: "manifest-missing", message, hint });
    expect(() => bed.verify()).toThrow(failure);
    bed.write();
    expect(bed.verify()).toMatchObject({ ok: true });
  });

  it("reports no interrupted write when files only differ", () => {
    const bed = new TestBed();
    publishEach(bed, "One");
    writeFileSync(join(bed.out, "404.json"), "{}\n");
    expect(Object.keys(bed.verify())).toEqual(["ok", "files", "differs"]);
  });
});
