import { readFileSync } from "node:fs";
import type { CliBed, Ran } from "../support/cli-bed.ts";
import { RunningProgram } from "../support/running-program.ts";

/** A command as a child process in the folder of a bed. */
export class RunningCommand extends RunningProgram {
  constructor(bed: CliBed, ...args: readonly string[]) {
    super(args, { cwd: bed.folder, env: bed.env });
  }

  /** Resolves when the text printed so far passes; rejects if the process ends before. */
  async until(passes: (running: this) => boolean): Promise<void> {
    if (await this.passes(() => passes(this))) return;
    throw new Error(`svc ended: ${this.stdout}${this.stderr}`);
  }

  /** On Linux: the files that the process has mapped, loaded modules among them. */
  get maps(): string {
    return readFileSync(`/proc/${this.process.pid}/maps`, "utf8");
  }

  /** Writes text to standard input; resolves when the process has read what a pipe does not hold. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.process.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Writes text to standard input and closes it. */
  input(text: string): this {
    this.process.stdin.end(text);
    return this;
  }

  async end(): Promise<Ran> {
    await this.ended;
    return { status: this.process.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}
