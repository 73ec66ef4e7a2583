import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOCK } from "../../src/files/lock.ts";
import { ERROR_STATUS, type ErrorCode } from "../../src/workspace/error-codes.ts";
import { COMMANDS, Folders, PUBLISH } from "./commands.ts";
import type { Command, CrashBed, Ended, State } from "./crash-bed.ts";

const folders = new Folders();
const STORE = "workspace.db";
const run = (store: string | undefined, ...args: string[]): Command =>
  store === undefined ? { args } : { args, store };

/** A bed with an import that was not published, and an older version. */
function changedBed() {
  const bed = folders.bed();
  const [, , third = ""] = folders.shops;
  const { versions } = bed.ok(run(STORE, "versions")) as { versions: { versionId: string }[] };
  bed.ok(run(STORE, "import", third));
  return { bed, older: versions[1]?.versionId ?? "" };
}

/** Holds a lock as another process does, until it is released or the test ends. */
function hold(file: string, sql: string): () => void {
  const other = new Database(file);
  other.exec(sql);
  onTestFinished(() => void other.close());
  return () => other.close();
}

function holdFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  return hold(join(folder, LOCK), "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
}

function expectRefused({ status, value, stderr }: Ended, code: ErrorCode): void {
  const error = { code, message: expect.any(String), hint: expect.any(String) };
  const expected = { status: ERROR_STATUS[code], value: { error } };
  expect({ status, value }, stderr).toEqual(expected);
}

const all = (bed: CrashBed, ...commands: readonly Command[]) =>
  Promise.all(commands.map((command) => bed.start(command).ended));

describe("cli.md: an error leaves nothing half done, when another process holds a lock", () => {
  it("F4: out-locked: commands that write to a locked folder wait, fail, and change nothing", async () => {
    const { bed, older } = changedBed();
    const { plan } = COMMANDS.migrate ?? expect.fail();
    const migrate = plan(bed, folders, expect.anything() as never) as Command;
    const free = ["out", "exported", "content"].map((name) => holdFolder(bed.path(name)));
    const before = bed.state();
    const startedAt = performance.now();
    const commands = [PUBLISH, run(STORE, "write"), run(STORE, "rollback", older)];
    const outcomes = await all(bed, ...commands, run(STORE, "export", "exported"), migrate);
    expect(performance.now() - startedAt).toBeGreaterThan(4_500);
    for (const outcome of outcomes) expectRefused(outcome, "out-locked");
    expect(bed.state()).toEqual(before);
    for (const one of free) one();
    bed.ok(PUBLISH);
    expect(existsSync(bed.path(`out/${LOCK}`))).toBe(false);
  });

  it("store-locked: while another process locks the store, nothing changes in it or in out/", async () => {
    const { bed, older } = changedBed();
    const before = bed.state();
    const free = hold(join(bed.stores, STORE), "BEGIN IMMEDIATE");
    const [written, ...outcomes] = await all(
      bed,
      run(STORE, "write", "--out", "written"),
      PUBLISH,
      run(STORE, "publish", "--out", "new"),
      run(STORE, "rollback", older, "--out", "as-new"),
    );
    free();
    // Reading the store needs no lock.
    expect(written?.status, written?.stderr).toBe(0);
    rmSync(bed.path("written"), { recursive: true });
    for (const outcome of outcomes) expectRefused(outcome, "store-locked");
    expect(bed.state()).toEqual(before);
    for (const out of ["new", "as-new"]) expect(existsSync(bed.path(out)), out).toBe(false);
    bed.ok(PUBLISH);
  });
});

it("F6: verify fails with out-locked during a write if files differ, and reports an interrupted one after it", () => {
  const { bed } = changedBed();
  const verify = run(undefined, "verify");
  const free = holdFolder(bed.path("out"));
  expect(bed.ok(verify)).toMatchObject({ ok: true });
  rmSync(bed.path("out/404.json"));
  const before = bed.state();
  expectRefused(bed.run(verify), "out-locked");
  expect(bed.state()).toEqual(before);
  // The first write of a folder.
  rmSync(bed.path("out/manifest.json"));
  writeFileSync(bed.path("out/.svc-writing.json"), "{}");
  expectRefused(bed.run(verify), "out-locked");
  free();
  const ended = bed.run(verify);
  expectRefused(ended, "manifest-missing");
  expect(ended.value.error.message).toContain("interrupted");
});

describe("F4: of two concurrent processes one waits or fails, and no state is mixed", () => {
  const REFUSED = ["store-locked", "out-locked", "held"];

  /** Commands that start at the same time, of which one at least must succeed. */
  const PAIRS: Record<string, (made: ReturnType<typeof changedBed>) => [Command, Command]> = {
    "two publishers of one draft to one folder": () => [PUBLISH, PUBLISH],
    "two publishers of one store to different folders": () => [
      { ...PUBLISH, args: [...PUBLISH.args, "--out", "out"] },
      { ...PUBLISH, args: [...PUBLISH.args, "--out", "folder-out"] },
    ],
    "a publisher beside an importer": () => [
      PUBLISH,
      run(STORE, "import", folders.shops[3] as string),
    ],
    "a rollback beside a publisher": ({ older }) => [run(STORE, "rollback", older), PUBLISH],
    "two stores with two workspaces to one folder": ({ bed }) => {
      bed.ok(run("neighbour.db", "import", folders.neighbours[1] as string));
      return [PUBLISH, run("neighbour.db", "publish", "--max-removals", "100%")];
    },
    "two first imports into one store": () => [
      run("first.db", "import", folders.shops[0] as string),
      run("first.db", "import", folders.neighbours[0] as string),
    ],
    "two exports into one folder": () => [
      run(STORE, "export", "exported"),
      run(STORE, "export", "exported", "--ndjson"),
    ],
  };

  it.each(Object.entries(PAIRS))("F4: %s", async (_name, pairOf) => {
    const made = changedBed();
    const { bed } = made;
    const [one, other] = pairOf(made);
    const orders: [Command, Command][] = [
      [one, other],
      [other, one],
    ];
    // R6a: what follows a rollback is refused.
    const together = orders.filter(([first]) => first.args[0] !== "rollback");
    // One after the other; or the other one was refused.
    const possible: State[][] = [
      together.map((order) => bed.after(...order)),
      [bed.after(one), bed.after(other)],
    ];
    const outcomes = await all(bed, one, other);
    const done = outcomes.filter(({ status }) => status === 0);
    expect(done, JSON.stringify(outcomes)).not.toEqual([]);
    for (const { status, value } of outcomes) {
      if (status !== 0) expect(REFUSED, JSON.stringify(value)).toContain(value.error.code);
    }
    expect(possible[done.length === 2 ? 0 : 1]).toContainEqual(bed.state());
    expect(bed.leftovers()).toEqual([]);
  });
});
