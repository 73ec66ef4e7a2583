import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { ROOT } from "../support/program.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { source, TestBed, temporaryFolder } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

function sourceUrl(path: string): string {
  return JSON.stringify(new URL(`../../src/${path}`, import.meta.url));
}

/** Imports an empty workspace as a user without root rights, and prints the result. */
const IMPORT_AS_USER = `
  import Database from "better-sqlite3";
  import { openStore } from ${sourceUrl("store/store.ts")};
  // SQLite is loaded by the first use, and the user may be unable to read it.
  new Database(":memory:").close();
  if (process.getuid?.() === 0) {
    process.setegid(65534);
    process.seteuid(65534);
  }
  try {
    const workspace = { kind: "workspace", record: { id: "new", name: "New" } };
    openStore(process.argv[1], { create: true }).import([workspace], new Date());
    console.log("imported");
  } catch ({ code, hint }) {
    console.log(code, typeof hint);
  }`;

function importAsUser(file: string): string {
  return run(IMPORT_AS_USER, file);
}

function run(script: string, ...words: readonly string[]): string {
  const args = ["--input-type=module", "--eval", script, ...words];
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }).trim();
}

/** Reads a store as such a user in each way, writes its files, and prints what is refused. */
const READ_AS_USER = `
  import Database from "better-sqlite3";
  import { withStore } from ${sourceUrl("store/with-store.ts")};
  import { StoreSource } from ${sourceUrl("publish/store-source.ts")};
  import { planPublish } from ${sourceUrl("publish/publish.ts")};
  import { write } from ${sourceUrl("publish/rollback.ts")};
  new Database(":memory:").close();
  const [, file, out, temporary] = process.argv;
  process.env.TMPDIR = temporary;
  if (process.getuid?.() === 0) {
    process.setgid(65534);
    process.setuid(65534);
  }
  await withStore(file, (store) => {
    const workspace = store.workspace("w");
    const source = new StoreSource(store, workspace);
    console.log(source.check({ program: "tests" }).length, "problems");
    const planned = planPublish(source, out, { strict: false, now: new Date(), keep: 1 });
    console.log("would publish", planned.published, "and prune", planned.pruned.length);
    console.log(store.history.list(workspace.number).length, "version");
    console.log(write(store, workspace, out).files.written, "files");
    try {
      store.write(() => store.history.setHold(workspace.number, undefined));
    } catch ({ code }) {
      console.log(code);
    }
  });`;

describe("a store that cannot be written", () => {
  it.each([
    ["a file that is read-only", "workspace.db", 0o444, 0o777],
    ["a file without permissions", "workspace.db", 0o000, 0o777],
    ["a folder that is read-only", "workspace.db", 0o666, 0o555],
    ["a new file in a folder that is read-only", "new.db", 0o666, 0o555],
  ])("is refused: %s", (_what, name, fileMode, folderMode) => {
    const folder = temporaryFolder();
    const file = join(folder, "workspace.db");
    openStore(file, { create: true }).close();
    const rows = storeRows(file);
    chmodSync(file, fileMode);
    chmodSync(folder, folderMode);
    const ended = importAsUser(join(folder, name));
    chmodSync(folder, 0o777);
    chmodSync(file, 0o666);
    expect(ended).toBe("store-unwritable string");
    expect(storeRows(file)).toEqual(rows);
    expect(readdirSync(folder)).not.toContain("new.db");
  });

  it.each([
    ["a read-only file", 0o444, 0o777],
    ["a read-only file in a read-only folder", 0o444, 0o555],
    ["a read-only folder", 0o666, 0o555],
  ])(
    "R9c: is read, tries a publish, and refuses what would change it: %s",
    (_what, fileMode, folderMode) => {
      const bed = new TestBed(smallWorkspace());
      bed.publish();
      bed.import(smallWorkspace({ entries: [page("home", "Changed")] }));
      const { file } = bed.store;
      bed.store.close();
      const [folder, out] = [temporaryFolder(), temporaryFolder()];
      const store = join(folder, "workspace.db");
      copyFileSync(file, store);
      chmodSync(store, fileMode);
      chmodSync(folder, folderMode);
      chmodSync(out, 0o777);
      const temporary = temporaryFolder();
      chmodSync(temporary, 0o777);
      const said = run(READ_AS_USER, store, out, temporary);
      chmodSync(folder, 0o777);
      expect(readdirSync(temporary)).toEqual([]);
      expect(said.split("\n")).toEqual([
        "0 problems",
        "would publish true and prune 1",
        "1 version",
        "5 files",
        "store-unwritable",
      ]);
      expect(existsSync(join(out, "manifest.json"))).toBe(true);
    },
  );

  it("is not refused when the file and its folder can be written", () => {
    const folder = temporaryFolder();
    const file = join(folder, "workspace.db");
    openStore(file, { create: true }).close();
    chmodSync(file, 0o666);
    chmodSync(folder, 0o777);
    expect(importAsUser(file)).toBe("imported");
  });

  it("is refused unchanged when another process locks it for more than five seconds", () => {
    const bed = new TestBed(smallWorkspace());
    const rows = storeRows(bed.store.file);
    const other = new Database(bed.store.file);
    other.exec("BEGIN IMMEDIATE");
    const start = performance.now();
    expect(() => bed.store.import(source({ id: "new" }), new Date())).toThrow(
      expect.objectContaining({ code: "store-locked", hint: expect.any(String) }),
    );
    expect(performance.now() - start).toBeGreaterThan(4_500);
    other.exec("ROLLBACK");
    other.close();
    expect(storeRows(bed.store.file)).toEqual(rows);
    bed.import({ id: "new" });
  });
});
