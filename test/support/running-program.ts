import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { atEnd } from "./at-end.ts";
import { checkJsonOutput } from "./json-output.ts";
import { PROGRAM } from "./program.ts";

interface RunOptions {
  readonly cwd?: string;
  /** Beside PATH. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The program as a child process, killed after the test. */
export class RunningProgram {
  stdout = "";
  stderr = "";
  protected readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  protected readonly ended: Promise<unknown>;

  constructor(args: readonly string[], { cwd, env }: RunOptions = {}) {
    const { PATH = "", XDG_STATE_HOME = "" } = process.env;
    this.process = spawn(process.execPath, [PROGRAM, ...args], {
      cwd,
      env: { PATH, XDG_STATE_HOME, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.ended = once(this.process, "close");
    this.process.stdout.setEncoding("utf8").on("data", (text) => {
      this.stdout += text;
    });
    this.process.stderr.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
    atEnd(() => {
      this.process.kill("SIGKILL");
      checkJsonOutput(args, this.stdout);
    });
  }

  /** Waits until what is printed so far passes; false if the process ends before. */
  protected async passes(check: () => boolean): Promise<boolean> {
    let hasEnded = false;
    const end = this.ended.then(() => {
      hasEnded = true;
    });
    const { stdout, stderr } = this.process;
    while (!hasEnded && !check()) {
      await Promise.race([once(stdout, "data"), once(stderr, "data"), end]);
    }
    return check();
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }
}
