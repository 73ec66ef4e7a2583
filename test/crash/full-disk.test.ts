import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/test-bed.ts";
import { Random } from "../support/workspaces/random.ts";
import { COMMANDS, Folders, type Planned } from "./commands.ts";
import { type Command, CrashBed, type State } from "./crash-bed.ts";

/** Why no disk can be mounted; undefined when one can. */
const CANNOT_MOUNT: string | undefined = (() => {
  const folder = "/tmp/svc-test-mount";
  try {
    mkdirSync(folder, { recursive: true });
    mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder);
    execFileSync("umount", [folder], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return (error as Error).message.split("\n")[0];
  }
})();

function mount(...args: readonly string[]): void {
  execFileSync("mount", args, { stdio: "pipe" });
}

/** A disk of a few megabytes, unmounted when the test ends. */
class SmallDisk {
  readonly path = join(temporaryFolder(), "disk");

  constructor() {
    mkdirSync(this.path);
    mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", this.path);
    onTestFinished(() => void execFileSync("umount", ["--lazy", this.path], { stdio: "pipe" }));
  }

  /** Leaves this number of blocks free. */
  fill(free: number): void {
    const { bavail, bsize } = statfsSync(this.path);
    writeFileSync(join(this.path, "filler"), Buffer.alloc(Math.max(0, bavail - free) * bsize));
  }

  makeRoom(): void {
    rmSync(join(this.path, "filler"), { force: true });
  }

  clear(): void {
    for (const name of readdirSync(this.path)) rmSync(join(this.path, name), { recursive: true });
  }

  makeWritable(): void {
    mount("-o", "remount,rw", this.path);
  }

  makeReadOnly(): void {
    mount("-o", "remount,ro", this.path);
  }
}

/** Numbers of free blocks. */
const FREE = [0, 4, 12, 24, 48, 200, 600];

const folders = new Folders();

const title = CANNOT_MOUNT === undefined ? "" : ` (skipped: ${CANNOT_MOUNT})`;

/** A command on a small disk, from one state again and again. */
class DiskBed {
  readonly disk = new SmallDisk();
  readonly #place: string;
  readonly #first: CrashBed;
  command: Command;
  before: State;
  after: State;

  constructor(name: string, place: string) {
    this.#place = place;
    const random = new Random(1);
    this.#first = folders.bed();
    do {
      this.command = (COMMANDS[name] as Planned).plan(this.#first, folders, random) as Command;
      this.before = this.#first.state();
      this.after = this.#first.after(this.command);
    } while (isDeepStrictEqual(this.before, this.after));
  }

  /** A bed in the first state. */
  bed(): CrashBed {
    this.disk.clear();
    const [beside, onDisk] = [temporaryFolder(), join(this.disk.path, "bed")];
    return this.#first.copy(
      this.#place === "the stores" ? beside : onDisk,
      this.#place === "the files" ? beside : onDisk,
    );
  }
}

describe.skipIf(CANNOT_MOUNT)(`a disk that fills up${title}`, () => {
  it.each([
    ["publish", "all"],
    ["publish", "the files"],
    ["publish", "the stores"],
    ["rollback", "the files"],
    ["rollback", "the stores"],
    ["write", "the files"],
    ["publish a folder", "all"],
    ["export", "all"],
    ["migrate", "all"],
    ["import", "all"],
    ["first import", "all"],
  ])("F5, R5: %s with %s on it: disk-full, old files intact, completed later", (name, place) => {
    const on = new DiskBed(name, place);
    let fails = 0;
    for (const free of FREE) {
      const bed = on.bed();
      on.disk.fill(free);
      const { status, value } = bed.run(on.command);
      const what = `${free} blocks free: ${JSON.stringify(value)}`;
      if (status !== 0) {
        fails += 1;
        expect({ status, code: value.error.code }, what).toEqual({ status: 4, code: "disk-full" });
        expect(value.error.hint, what).toEqual(expect.any(String));
      }
      on.disk.makeRoom();
      const phase = bed.expectOldOrNew(on.before, on.after);
      if (phase === "before" && name !== "write") expect(bed.leftovers(), what).toEqual([]);
      bed.complete(on.command, on.after);
      if (status === 0) break;
    }
    expect(fails, "how often the disk was full").toBeGreaterThan(0);
  });
});

describe.skipIf(CANNOT_MOUNT)(`a disk that is read-only${title}`, () => {
  it.each([
    ["publish", "the files", "out-unwritable"],
    ["write", "the files", "out-unwritable"],
    ["rollback", "the files", "out-unwritable"],
    ["export", "the files", "out-unwritable"],
    ["migrate", "the files", "out-unwritable"],
    ["publish", "the stores", "store-unwritable"],
    ["import", "the stores", "store-unwritable"],
  ])("%s with %s on it is refused, and changes nothing", (name, place, code) => {
    const on = new DiskBed(name, place);
    const bed = on.bed();
    on.disk.makeReadOnly();
    const { status, value } = bed.run(on.command);
    expect({ status, code: value.error?.code }, value.error?.message).toEqual({ status: 4, code });
    expect(value.error.hint).toEqual(expect.any(String));
    on.disk.makeWritable();
    expect(bed.state()).toEqual(on.before);
  });
});

it.skipIf(CANNOT_MOUNT)(
  `a disk that is full before: no file is left of a new store or folder${title}`,
  () => {
    const disk = new SmallDisk();
    const [shop = ""] = folders.shops;
    const bed = new CrashBed(temporaryFolder());
    bed.ok({ args: ["import", shop], store: "workspace.db" });
    for (const free of [0, 1, 5, 10, 15]) {
      disk.fill(free);
      for (const command of [
        { args: ["import", shop, "--store", join(disk.path, "new.db")] },
        { args: ["publish", "--out", join(disk.path, "new/out")], store: "workspace.db" },
        { args: ["export", join(disk.path, "new/folder")], store: "workspace.db" },
      ]) {
        const { status, value } = bed.run(command);
        const what = `${free} blocks: ${command.args.join(" ")}`;
        expect({ status, code: value.error?.code }, what).toEqual({ status: 4, code: "disk-full" });
        expect(readdirSync(disk.path), what).toEqual(["filler"]);
      }
      disk.makeRoom();
    }
  },
);
