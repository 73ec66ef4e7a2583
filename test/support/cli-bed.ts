import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { openStore } from "../../src/store/store.ts";
import { PROGRAM, ROOT } from "./program.ts";
import { temporaryFolder } from "./test-bed.ts";

export const STARTER = join(ROOT, "fixtures", "starter");
export const STOREFRONT = join(ROOT, "fixtures", "storefront");
export const NEIGHBOUR = join(ROOT, "fixtures", "neighbour");

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder in which the program runs. */
export class CliBed {
  readonly folder = temporaryFolder();
  /** Added to a minimal environment. */
  env: Readonly<Record<string, string>> = {};

  /** Imports these workspace folders into the store `workspace.db`. */
  constructor(...workspaces: readonly string[]) {
    if (workspaces.length === 0) return;
    const store = openStore(this.path("workspace.db"), { create: true });
    for (const workspace of workspaces) store.import(readFolder(workspace), new Date());
    store.close();
  }

  path(...segments: readonly string[]): string {
    return join(this.folder, ...segments);
  }

  run(...args: readonly string[]): Ran {
    return this.#spawn(process.execPath, [PROGRAM, ...args]);
  }

  /** As `run`, on a terminal: stdout and stderr together. */
  runOnTerminal(...args: readonly string[]): string {
    const command = [process.execPath, PROGRAM, ...args];
    const script =
      process.platform === "linux"
        ? ["-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"]
        : ["-q", "/dev/null", ...command];
    return this.#spawn("script", script).stdout;
  }

  /** Runs a command that must succeed. */
  ok(...args: readonly string[]): Ran {
    const ran = this.run(...args);
    expect(ran.status, `svc ${args.join(" ")}: ${ran.stderr}`).toBe(0);
    return ran;
  }

  /** The value that a command prints with `--json`: one line on stdout, and nothing on stderr. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access results without types
  json(status: number, ...args: readonly string[]): any {
    const ran = this.run(...args, "--json");
    expect({ ...ran, stdout: "" }, ran.stdout).toEqual({ status, stdout: "", stderr: "" });
    expect(ran.stdout).toMatch(/^\{[^\n]*\}\n$/);
    return JSON.parse(ran.stdout);
  }

  /** The lines on stderr of a command that must fail, the last two being the error and its hint. */
  failure(status: number, ...args: readonly string[]): string[] {
    const ran = this.run(...args);
    expect({ ...ran, stderr: "" }, ran.stderr).toEqual({ status, stdout: "", stderr: "" });
    expect(ran.stderr).toMatch(/(^|\n)error: [^\n]+\nhint: [^\n]+\n$/);
    expect(ran.stderr, "no stack trace without --debug").not.toMatch(/^ +at |node:internal/m);
    return ran.stderr.trimEnd().split("\n");
  }

  #spawn(command: string, args: readonly string[]): Ran {
    const { PATH = "", HOME = "" } = process.env;
    const env = { PATH, HOME, TERM: "xterm", ...this.env };
    const options = { cwd: this.folder, env, encoding: "utf8", input: "" } as const;
    const { status, stdout, stderr, error } = spawnSync(command, args, options);
    if (error) throw error;
    return { status, stdout, stderr };
  }
}
