import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { pathsBelow, statesBelow } from "../support/file-tree.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { start } from "./processes.ts";

it("store-locked: while another process locks the store, nothing changes in it or in out/", async () => {
  const bed = new TestBed(smallWorkspace());
  const { versionId } = bed.publish();
  bed.import(smallWorkspace({ entries: [page("home", "Second")] }));
  bed.publish();
  bed.import(smallWorkspace({ entries: [page("home", "Third")] }));
  const [rows, files] = [storeRows(bed.store.file), statesBelow(bed.out)];
  const other = new Database(bed.store.file);
  other.exec("BEGIN IMMEDIATE");
  const [written, ...outcomes] = await Promise.all([
    start(bed.folder, "write", "--out", "written"),
    start(bed.folder, "publish"),
    start(bed.folder, "publish", "--out", "new"),
    start(bed.folder, "rollback", versionId, "--out", "as-new"),
  ]);
  other.close();
  // Reading the store needs no lock.
  expect(written).toMatchObject({ status: 0 });
  for (const { status, value } of outcomes) {
    const error = { code: "store-locked", message: expect.any(String), hint: expect.any(String) };
    expect({ status, value }).toEqual({ status: 3, value: { error } });
  }
  expect(storeRows(bed.store.file)).toEqual(rows);
  expect(statesBelow(bed.out)).toEqual(files);
  for (const out of ["new", "as-new"]) {
    expect(pathsBelow(join(bed.folder, out)), out).toEqual([]);
  }
  expect(await start(bed.folder, "publish")).toMatchObject({ status: 0 });
}, 30_000);
