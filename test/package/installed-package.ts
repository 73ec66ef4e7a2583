import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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

/** Builds and packs a copy of the sources, and installs the packed file in an empty folder. */
export class InstalledPackage {
  readonly folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  readonly bin = join(this.folder, "node_modules", ".bin", "svc");
  /** The paths of the packed files. */
  readonly packed: readonly string[];
  readonly #copy = mkdtempSync(join(tmpdir(), "svc-test-"));

  constructor() {
    const parts = ["bin", "scripts", "src", "fixtures/starter", "package.json", "tsconfig.json"];
    for (const part of parts) cpSync(join(ROOT, part), join(this.#copy, part), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(this.#copy, "node_modules"));
    const [pack] = JSON.parse(ok(this.#copy, "npm", "pack", "--json"));
    this.packed = pack.files.map(({ path }: { path: string }) => path);
    const file = join(this.#copy, pack.filename);
    ok(this.folder, "npm", "install", "--prefix", this.folder, ...QUIET, file);
  }

  remove(): void {
    for (const made of [this.#copy, this.folder]) rmSync(made, { recursive: true, force: true });
  }
}

/** A Node of another version, from npm. */
export class InstalledNode {
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  readonly path = join(this.#folder, "node_modules/node/bin/node");

  constructor(version: string) {
    ok(this.#folder, "npm", "install", "--prefix", this.#folder, ...QUIET, `node@${version}`);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
