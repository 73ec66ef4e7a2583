import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../support/test-bed.ts";

/** Why no disk can be mounted; undefined when one can. */
export const CANNOT_MOUNT: string | undefined = (() => {
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
export class SmallDisk {
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
