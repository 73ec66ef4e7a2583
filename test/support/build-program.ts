import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { isRunning } from "../../src/store/with-store.ts";
import { BUILT, ROOT } from "./program.ts";

/** Temporary folders are in memory where there is a gigabyte of it: stores sync to the disk. */
const MEMORY = "/dev/shm";
const hasMemory =
  existsSync(MEMORY) && statfsSync(MEMORY).bavail * statfsSync(MEMORY).bsize > 2 ** 30;

/**
 * Before the first test: builds the program that tests of the command line run, and makes a folder
 * for all temporary files. Suites that run together share both.
 */
export async function setup(): Promise<(() => void) | undefined> {
  const built = ownFolder(".test-build", "");
  if (process.env[BUILT] === built) return;
  const temporary = ownFolder(hasMemory ? MEMORY : tmpdir(), "svc-tests-");
  mkdirSync(temporary);
  process.env[BUILT] = built;
  process.env.TMPDIR = temporary;
  // That of the program: threads that tests start find there what others have compiled.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, built, ".compile-cache");
  // What previews keep (H22).
  process.env.XDG_STATE_HOME = join(ROOT, built, "state");
  makeSchemas();
  await bundle(`${built}/bin`, {
    "program-host": "test/support/program-host.ts",
    "localhost-names": "test/support/deploy/localhost-names.ts",
  });
  return () => {
    const left = [
      ...readdirSync(temporary).filter((name) => name.startsWith("svc-")),
      ...endedWith(`${built}/bin/svc.js`, temporary),
    ];
    for (const folder of [temporary, built]) rmSync(folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`tests have left:\n${left.join("\n")}`);
  };
}

/** N5: takes seconds, so that only types of results which are younger than the schemas have them made again. */
function makeSchemas(): void {
  const results = join(ROOT, "src/cli/results.ts");
  const imported = readFileSync(results, "utf8").matchAll(/from "([^"]+)"/g);
  const sources = [results, ...Array.from(imported, ([, path = ""]) => join(results, "..", path))];
  const made = statSync(join(ROOT, "svc.output.schema.json"), { throwIfNoEntry: false });
  if (made !== undefined && sources.every((path) => statSync(path).mtimeMs < made.mtimeMs)) return;
  execFileSync(process.execPath, [join(ROOT, "scripts/schemas.ts")]);
}

/** A folder with the number of this process in its name; removes those of processes that were killed. */
function ownFolder(parent: string, prefix: string): string {
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const [, number] = /^(\d+)$/.exec(name.slice(prefix.length)) ?? [];
    if (!name.startsWith(prefix) || number === undefined || isRunning(Number(number))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // A small disk of test:crash is mounted there still.
    }
  }
  return join(parent, `${prefix}${process.pid}`);
}

/** Ends the processes whose command line has some of these words, where the system shows it; returns what they ran. */
function endedWith(...words: readonly string[]): string[] {
  const numbers = existsSync("/proc")
    ? readdirSync("/proc").filter((name) => /^\d/.test(name))
    : [];
  return numbers.flatMap((number) => {
    try {
      const line = readFileSync(`/proc/${number}/cmdline`, "utf8").replaceAll("\0", " ");
      if (!words.some((one) => line.includes(one))) return [];
      process.kill(Number(number), "SIGKILL");
      return [line];
    } catch {
      return [];
    }
  });
}
