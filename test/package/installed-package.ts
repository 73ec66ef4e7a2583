import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "../support/program.ts";

export const PACKAGE = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** Starts with this Node's folder, for npm and the installed program. */
export const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

const QUIET = ["--prefer-offline", "--no-audit", "--no-fund"];

export function run(cwd: string, command: string, ...args: readonly string[]) {
  // The program sets its own compile cache, unless the environment has one, as that of the tests has.
  const env = { ...process.env, PATH, NODE_COMPILE_CACHE: undefined };
  const options = { cwd, env, encoding: "utf8" } as const;
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  if (error) throw error;
  return { status, stdout, stderr };
}

/** Runs a command that must succeed, and returns its stdout. */
export function ok(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = run(cwd, command, ...args);
  expect(status, `${command} ${args.join(" ")}: ${stderr}`).toBe(0);
  return stdout;
}

/** Builds and packs a copy of the sources: one of the two packages, installed alone in an empty folder. */
export class InstalledPackage {
  readonly folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  /** The packed file. */
  readonly file: string;
  /** The paths of the packed files. */
  readonly packed: readonly string[];

  /** @param place of the package in the repository */
  constructor(place: "." | "src/client") {
    const copy = mkdtempSync(join(tmpdir(), "svc-test-"));
    try {
      const { files } = PACKAGE as { files: string[] };
      const shown = files.filter((path) => /^(docs|fixtures|[A-Z])/.test(path));
      const parts = [
        "bin",
        "scripts",
        "src",
        "package.json",
        "tsconfig.json",
        "README.md",
        "LICENSE",
        ...shown,
      ];
      for (const part of parts) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
      symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
      const [pack] = JSON.parse(ok(join(copy, place), "npm", "pack", "--json"));
      this.packed = pack.files.map(({ path }: { path: string }) => path);
      this.file = join(this.folder, pack.filename);
      renameSync(join(copy, place, pack.filename), this.file);
      install(this.folder, this.file);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Installs a package of npm, or a packed file. */
export function install(folder: string, what: string): void {
  ok(folder, "npm", "install", "--prefix", folder, ...QUIET, what);
}
