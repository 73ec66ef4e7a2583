import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isLocked, LOCK, withLock } from "../../src/files/lock.ts";
import { replaceFile } from "../../src/files/replace-file.ts";
import { publish } from "../../src/publish/publish.ts";
import { write } from "../../src/publish/rollback.ts";
import { limitedBy, limitFiles } from "../support/limited-files.ts";
import { PROGRAM, ROOT } from "../support/program.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";
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

const CONFIG = "api/v1/projects/site/index.json";

/** Has a file open in another process for some milliseconds; resolves once it has. */
async function openElsewhere(path: string, milliseconds: number): Promise<void> {
  const script = `
    require("node:fs").openSync(process.argv[1]);
    console.log("open");
    setTimeout(() => {}, ${milliseconds});`;
  const child = spawn(process.execPath, ["--eval", script, path]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
}

const run = async (...args: readonly string[]) => {
  const child = spawn(process.execPath, [...limitedBy({ openFiles: true }), PROGRAM, ...args]);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const [status] = await once(child, "close");
  return { status, stderr };
};

describe("where open files can be neither replaced nor removed", () => {
  const limited = (work: () => void) => {
    const undo = limitFiles({ openFiles: true });
    try {
      work();
    } finally {
      undo();
    }
  };

  it("F8: a publish, a second one and a removal leave the right files and no lock file", () => {
    const bed = new TestBed(smallWorkspace());
    limited(() => {
      bed.publish();
      bed.import(smallWorkspace({ entries: [page("home", "Edited")] }));
      bed.publish();
      bed.import(smallWorkspace({ projects: [] }));
      bed.publish();
    });
    expect(bed.verify().ok).toBe(true);
    expect(readdirSync(bed.out).sort()).toEqual(["404.json", "manifest.json"]);
  });

  it("F8: a lock file that another process has open is left, and has no effect", async () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    writeFileSync(join(bed.out, LOCK), "");
    await openElsewhere(join(bed.out, LOCK), 5000);
    limited(() => expect(withLock(bed.out, () => "done")).toBe("done"));
    expect(existsSync(join(bed.out, LOCK))).toBe(true);
    expect(bed.verify().ok).toBe(true);
    expect(withLock(bed.out, () => "again")).toBe("again");
    expect(existsSync(join(bed.out, LOCK))).toBe(false);
  });

  it("F4, F8: of two publishes at the same time one waits for the other, and none fails", async () => {
    const beds = ["a", "b"].map((id) => {
      const bed = new TestBed({ ...smallWorkspace(), id, projects: [] });
      bed.store.close();
      return bed;
    });
    const out = join(temporaryFolder(), "out");
    const results = await Promise.all(
      beds.map(({ store }) => run("publish", "--store", store.file, "--out", out)),
    );
    for (const { status, stderr } of results) expect(status, stderr).toBe(0);
    expect((await run("verify", "--out", out)).status).toBe(0);
  });

  it.each([
    ["replaced", smallWorkspace({ entries: [page("home", "Edited")] })],
    ["removed", smallWorkspace({ projects: [] })],
  ])("F8: a published file that is open for a moment is %s after it", async (_, parts) => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.import(parts);
    await openElsewhere(join(bed.out, CONFIG), 200);
    limited(() => bed.publish());
    expect(bed.verify().ok).toBe(true);
  });

  it("F8: a published file that stays open is an error, and the next write completes the rest", async () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.import(smallWorkspace({ entries: [page("home", "Edited")] }));
    await openElsewhere(join(bed.out, CONFIG), 5000);
    limited(() =>
      expect(() => bed.publish()).toThrow(/cannot write ".*index\.json": permission denied/),
    );
    expect(bed.verify().ok).toBe(false);
    bed.write();
    expect(bed.verify().ok).toBe(true);
  });

  it("F8: svc types replaces a file that is open for a moment", async () => {
    const file = join(temporaryFolder(), "content.ts");
    writeFileSync(file, "old");
    await openElsewhere(file, 200);
    limited(() => replaceFile(file, "new"));
    expect(readdirSync(join(file, ".."))).toEqual(["content.ts"]);
  });
});
