import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { TEMPORARY } from "../../src/files/folder.ts";
import { journalPlan } from "../../src/publish/apply-plan.ts";
import { planOut } from "../../src/publish/plan-out.ts";
import { publish } from "../../src/publish/publish.ts";
import { storedVersion } from "../../src/publish/version.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { Store } from "../../src/store/store.ts";
import type { SvcError } from "../../src/workspace/errors.ts";
import { bytesBelow, foldersBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
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

function put(out: string, path: string): void {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), `this is ${path}`);
}

describe("F5: files left behind by an interrupted write", () => {
  it("the temporary file and empty folders are reported, and removed by the next write", () => {
    const bed = new TestBed(OLD);
    bed.publish();
    for (const path of [TEMPORARY, ".svc-writing.json"]) put(bed.out, path);
    mkdirSync(join(bed.out, "api/v1/projects/gone/experiences"), { recursive: true });
    const verified = bed.verify();
    expect(verified).toMatchObject({ ok: false, interrupted: [] });
    expect(verified.differs.map(({ path }) => path).sort()).toEqual([TEMPORARY]);

    bed.write();
    expect(bytesBelow(bed.out)).toEqual(bytesOf(OLD));
    expect(foldersBelow(bed.out)).not.toContain("api/v1/projects/gone");
  });

  it.each(["", "{", "[]", '{"w":1}', '{"w":{"versionId":"x","files":["../robots.txt",1]}}'])(
    "an unreadable write journal is ignored: %j",
    (text) => {
      const bed = new TestBed(OLD);
      bed.publish();
      put(bed.folder, "robots.txt");
      writeFileSync(join(bed.out, ".svc-writing.json"), text);
      bed.write();
      expect(bytesBelow(bed.out)).toEqual(bytesOf(OLD));
      expect(existsSync(join(bed.folder, "robots.txt"))).toBe(true);
    },
  );
});

const CONTENT = "api/v1/projects/site/experiences/home/content.json";

describe("R5: a failure after the version is committed", () => {
  it("names the version, and says that svc write completes the files", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.import(smallWorkspace({ entries: [page("home", "Another home")] }));
    let failure: SvcError | undefined;
    try {
      publish(inStore(bed.store, "w"), bed.out, {
        strict: false,
        keep: 20,
        now: new Date(),
        // After the plan was made, a folder takes the place of a file.
        onProgress: (_done, _total, what) => {
          if (what !== "files written" || failure !== undefined) return;
          rmSync(join(bed.out, "manifest.json"), { recursive: true });
          mkdirSync(join(bed.out, "manifest.json"));
          writeFileSync(join(bed.out, "manifest.json", "x"), "");
        },
      });
    } catch (error) {
      failure = error as SvcError;
    }
    const versionId = bed.store.history.current(bed.store.workspace("w").number);
    expect(failure).toMatchObject({ code: "out-obstructed" });
    expect(failure?.message).toContain(`version ${versionId} is the current one in the store`);
    expect(failure?.hint).toMatch(/svc write completes the files$/);

    rmSync(join(bed.out, "manifest.json"), { recursive: true });
    bed.write();
    expect(bed.file(CONTENT)).toMatchObject({ versionId });
    expect(bed.verify()).toMatchObject({ ok: true });
  });
});
