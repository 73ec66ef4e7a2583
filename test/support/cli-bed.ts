import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import type { HostedCommand } from "./hosted-command.ts";
import { HostedProgram, type Ran } from "./hosted-program.ts";
import { checkJsonOutput } from "./json-output.ts";
import { PROGRAM, ROOT } from "./program.ts";
import { newStore } from "./store/new-store.ts";
import { temporaryFolder } from "./test-bed.ts";

export const STARTER = join(ROOT, "fixtures", "starter");
export const STOREFRONT = join(ROOT, "fixtures", "storefront");
export const NEIGHBOUR = join(ROOT, "fixtures", "neighbour");

export type { Ran };

/** A temporary folder in which the program runs. */
export class CliBed {
  readonly folder = temporaryFolder();
  /** Added to a minimal environment. */
  env: Readonly<Record<string, string>> = {};

  /** Imports these workspace folders into the store `workspace.db`, and takes over a config file (N3). */
  constructor(...workspaces: readonly string[]) {
    if (workspaces.length === 0) return;
    const store = newStore(this.path("workspace.db"));
    for (const workspace of workspaces) {
      store.import(readFolder(workspace), new Date());
      const config = join(workspace, "svc.config.json");
      if (existsSync(config)) copyFileSync(config, this.path("svc.config.json"));
    }
    store.close();
  }

  path(...segments: readonly string[]): string {
    return join(this.folder, ...segments);
  }

  /** Runs a command in the program that this worker keeps running. */
  run(...args: readonly string[]): Ran {
    return HostedProgram.get().run(this.#command(args));
  }

  /** The time of the processor that the last such command took, in milliseconds. */
  get cpu(): number {
    return HostedProgram.get().cpu;
  }

  /** As `run`, while this process goes on, and may serve the command's requests. */
  runBeside(...args: readonly string[]): Promise<Ran> {
    return HostedProgram.get().runBeside(this.#command(args));
  }

  /** As `run`, in a process of its own. */
  runAlone(...args: readonly string[]): Ran {
    const ran = this.#spawn(process.execPath, [PROGRAM, ...args]);
    checkJsonOutput(args, ran.stdout);
    return ran;
  }

  /** As `runAlone`, on a terminal: stdout and stderr together. */
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

  #command(args: readonly string[]): HostedCommand {
    const { PATH = "", HOME = "", XDG_STATE_HOME = "" } = process.env;
    const env = { PATH, HOME, XDG_STATE_HOME, TERM: "xterm", ...this.env };
    return { args, folder: this.folder, env };
  }

  #spawn(command: string, args: readonly string[]): Ran {
    const { folder: cwd, env } = this.#command([]);
    const options = { cwd, env, encoding: "utf8", input: "" } as const;
    const { status, stdout, stderr, error } = spawnSync(command, args, options);
    if (error) throw error;
    return { status, stdout, stderr };
  }
}
