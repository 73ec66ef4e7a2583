import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { publish, write } from "../../src/publish/publish.ts";
import { smallWorkspace } from "../support/small-workspace.ts";
import { TestBed } from "../support/test-bed.ts";

/** Whether another process could begin to publish or write now. */
function isFree(file: string): boolean {
  const other = new Database(file, { timeout: 0 });
  try {
    other.exec("BEGIN IMMEDIATE; ROLLBACK");
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "SQLITE_BUSY" });
    return false;
  } finally {
    other.close();
  }
}

it.each(["publish", "write"] as const)(
  "F3: while %s changes out/, no other process of the store publishes or writes",
  (command) => {
    const bed = new TestBed(smallWorkspace());
    const { store, out } = bed;
    const workspace = store.workspace("w");
    if (command === "write") bed.publish();
    const free: boolean[] = [];
    const onProgress = (_done: number, _total: number, what: string) => {
      if (what === "files written") free.push(isFree(store.file));
    };
    if (command === "write") write(store, workspace, `${out}-2`, onProgress);
    else publish(store, workspace, out, { strict: false, keep: 20, now: new Date(), onProgress });
    expect(free.length).toBeGreaterThan(0);
    expect(free).not.toContain(true);
    expect(isFree(store.file)).toBe(true);
  },
);
