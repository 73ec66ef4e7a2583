import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { journalPlan } from "../../src/publish/apply-plan.ts";
import { planOut } from "../../src/publish/plan-out.ts";
import { publish } from "../../src/publish/publish.ts";
import { storedVersion } from "../../src/publish/version.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { Store } from "../../src/store/store.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { bytesOf, NEW, OLD, publishStopped, stoppedBed, stopping } from "./stopped-bed.ts";

const JOURNAL = ".svc-writing.json";

/** Fails in place of each commit, as on a full disk. */
class StoreWithoutCommits extends Store {
  override write<T>(work: () => T): T {
    return super.write(() => {
      work();
      throw new Error("not committed");
    });
  }
}

/** The files of `out/` without the write journal. */
function filesIn(out: string): Record<string, string> {
  const { [JOURNAL]: _, ...files } = bytesBelow(out);
  return files;
}

describe("R5, F5: crash safety: the version is committed before out/ is written", () => {
  it.each([
    ["grows", OLD, NEW],
    ["shrinks", NEW, OLD],
  ] as const)(
    "a write that stops after any file is reported and can be completed; out/ %s",
    (_, from, to) => {
      const [old, done] = [bytesOf(from), bytesOf(to)];
      let stops = 0;
      for (;;) {
        const { bed, current, isStopped } = stoppedBed(from, to, stops + 1);
        if (!isStopped) break;
        stops += 1;
        const found = filesIn(bed.out);
        for (const path of Object.keys({ ...old, ...done, ...found })) {
          expect([old[path], done[path]], path).toContain(found[path]);
        }
        const interrupted = [{ workspaceId: "w", versionId: current }];
        expect(bed.verify()).toMatchObject({ ok: false, interrupted });

        expect(bed.write()).toMatchObject({ versionId: current });
        expect(bytesBelow(bed.out)).toEqual(done);
        expect(bed.verify()).toMatchObject({ ok: true, differs: [] });
      }
      const paths = Object.keys({ ...old, ...done });
      expect(stops).toBe(paths.filter((path) => old[path] !== done[path]).length);
    },
  );

  it("a commit that fails leaves no write journal, unless an earlier write was interrupted", () => {
    const bed = new TestBed(OLD);
    bed.publish();
    const before = bytesBelow(bed.out);
    bed.import(NEW);
    const failing = new StoreWithoutCommits(openDatabase(bed.store.file, false), bed.store.file);
    onTestFinished(() => failing.close());
    const fail = () => publish(inStore(failing, "w"), bed.out, stopping(undefined));
    expect(fail).toThrow("not committed");
    expect(bytesBelow(bed.out)).toEqual(before);
    expect(bed.verify().ok).toBe(true);
    expect(publishStopped(bed, 2)).toBe(true);
    const interrupted = bytesBelow(bed.out);
    bed.import(OLD);
    expect(fail).toThrow("not committed");
    expect(bytesBelow(bed.out)).toEqual(interrupted);
  });

  it.each(["write", "publish"] as const)("%s completes an interrupted first write", (command) => {
    const bed = new TestBed(NEW);
    expect(publishStopped(bed, 3)).toBe(true);
    expect(() => bed.verify()).toThrow(/first write .* was interrupted/);
    if (command === "write") bed.write();
    else expect(bed.publish()).toMatchObject({ published: false });
    expect(bytesBelow(bed.out)).toEqual(bytesOf(NEW));
    expect(bed.verify().ok).toBe(true);
  });

  it("a rollback instead leaves exactly the files of the earlier version", () => {
    for (const count of [2, 4, 6, 8]) {
      const { bed, old } = stoppedBed(OLD, NEW, count);
      bed.rollback(old);
      expect(bytesBelow(bed.out)).toEqual(bytesOf(OLD));
      expect(bed.verify().ok).toBe(true);
    }
  });

  it("several interrupted writes of different versions leave no files behind", () => {
    const { bed, old } = stoppedBed(OLD, NEW, 5);
    for (const name of ["Second", "Third", "Fourth"]) {
      bed.import({ ...NEW, entries: (NEW.entries ?? []).filter(({ id }) => id !== "more"), name });
      expect(publishStopped(bed, 3)).toBe(true);
      expect(bed.verify().interrupted).toHaveLength(1);
    }
    bed.rollback(old);
    expect(bytesBelow(bed.out)).toEqual(bytesOf(OLD));
  });

  it("a write that fails half-way leaves complete files and is reported as interrupted", () => {
    const bed = new TestBed(OLD);
    bed.publish();
    bed.import(NEW);
    const obstruction = join(bed.out, "api/v1/projects/added/index.json/folder");
    const onProgress = (_done: number, _total: number, what: string) => {
      if (what === "files written") mkdirSync(obstruction, { recursive: true });
    };
    const options = { strict: false, keep: 20, now: new Date(), onProgress };
    const refused = expect.objectContaining({ code: "out-obstructed", hint: expect.any(String) });
    expect(() => publish(inStore(bed.store, "w"), bed.out, options)).toThrow(refused);
    const [old, done] = [bytesOf(OLD), bytesOf(NEW)];
    for (const [path, bytes] of Object.entries(filesIn(bed.out))) {
      expect([old[path], done[path]], path).toContain(bytes);
    }
    expect(bed.verify().interrupted).toHaveLength(1);
    expect(existsSync(join(bed.out, ".svc-lock"))).toBe(false);
  });

  it("an interrupted write is still reported after a rollback is killed before its commit", () => {
    // The first file is a new one, so out/ still has all files of the old version.
    const { bed, old, current } = stoppedBed(OLD, NEW, 1);
    const { store, out } = bed;
    expect(filesIn(out)).toMatchObject(bytesOf(OLD));
    const rows = storeRows(store.file);
    const killed = () =>
      store.write(() => {
        const workspace = store.workspace("w");
        store.history.makeCurrent(workspace.number, old, "rollback", new Date());
        journalPlan(planOut("w", storedVersion(store, workspace, old), out));
        throw new Error("killed");
      });
    expect(killed).toThrow("killed");
    expect(storeRows(store.file)).toEqual(rows);
    expect(bed.verify(), "out/ is not the current version").toMatchObject({ ok: false });
    expect(bed.write()).toMatchObject({ versionId: current });
    expect(bed.verify().ok).toBe(true);
  });
});
