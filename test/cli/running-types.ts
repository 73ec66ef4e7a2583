import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import type { CliBed, Ran } from "../support/cli-bed.ts";
import { PROGRAM } from "../support/program.ts";

/** `svc types` as a child process in the folder of a bed. */
export class RunningTypes {
  stdout = "";
  stderr = "";
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ended: Promise<unknown>;

  constructor(bed: CliBed, ...args: readonly string[]) {
    const { PATH = "" } = process.env;
    this.#process = spawn(process.execPath, [PROGRAM, "types", ...args], {
      cwd: bed.folder,
      env: { PATH, ...bed.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#ended = once(this.#process, "close");
    this.#process.stdout.setEncoding("utf8").on("data", (text) => {
      this.stdout += text;
    });
    this.#process.stderr.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
    onTestFinished(() => void this.#process.kill("SIGKILL"));
  }

  /** Resolves when the text printed so far passes; rejects if the process ends before. */
  async until(passes: (running: this) => boolean): Promise<void> {
    let ended = false;
    const end = this.#ended.then(() => {
      ended = true;
    });
    while (!passes(this)) {
      if (ended) throw new Error(`svc types ended: ${this.stdout}${this.stderr}`);
      const { stdout, stderr } = this.#process;
      await Promise.race([once(stdout, "data"), once(stderr, "data"), end]);
    }
  }

  /** Writes text to standard input; resolves when the process has read what a pipe does not hold. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#process.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Writes text to standard input and closes it. */
  input(text: string): this {
    this.#process.stdin.end(text);
    return this;
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  async end(): Promise<Ran> {
    await this.#ended;
    return { status: this.#process.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}
