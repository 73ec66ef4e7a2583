import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isLocked, LOCK } from "../../src/files/lock.ts";
import { publish, write } from "../../src/publish/publish.ts";
import { ROOT } from "../support/program.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

it.each(["publish", "write"] as const)(
  "F4: while %s changes out/, no other process can change it",
  (command) => {
    const bed = new TestBed(smallWorkspace());
    const { store, out } = bed;
    const workspace = store.workspace("w");
    if (command === "write") bed.publish();
    const other = `${out}-2`;
    const locked: boolean[] = [];
    const onProgress = (_done: number, _total: number, what: string) => {
      if (what === "files written") locked.push(isLocked(other));
    };
    if (command === "write") write(store, workspace, other, { onProgress });
    else publish(inStore(store), other, { strict: false, keep: 20, now: new Date(), onProgress });
    expect(locked.length).toBeGreaterThan(0);
    expect(locked).not.toContain(false);
    expect(isLocked(other)).toBe(false);
  },
);

/** Holds the lock of `out/` in another process for some milliseconds; resolves once it has it. */
async function lockElsewhere(out: string, milliseconds: number): Promise<void> {
  const script = `
    const database = require("better-sqlite3")(process.argv[1]);
    database.exec("BEGIN EXCLUSIVE");
    console.log("locked");
    setTimeout(() => database.close(), ${milliseconds});`;
  const child = spawn(process.execPath, ["--eval", script, join(out, LOCK)], { cwd: ROOT });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
}

it("F4: a publish waits while another process has the lock for a moment", async () => {
  const bed = new TestBed(smallWorkspace());
  bed.publish();
  bed.import(smallWorkspace({ entries: [page("home", "Edited")] }));
  await lockElsewhere(bed.out, 500);
  expect(isLocked(bed.out)).toBe(true);
  expect(bed.publish().published).toBe(true);
  expect(bed.verify().ok).toBe(true);
});
