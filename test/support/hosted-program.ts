import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  read,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { HostedCommand } from "./hosted-command.ts";
import { checkJsonOutput } from "./json-output.ts";
import { LONG_LIVED } from "./long-lived.ts";
import { PROGRAM_HOST } from "./program.ts";

const LONGEST_ANSWER = 64;

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The built program in one process that runs a command after the other, since most of a short
 * command is the start of Node. Commands go through a named pipe, and so does the exit status of
 * each; stdout and stderr are files.
 */
export class HostedProgram {
  static #current: HostedProgram | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-host-"));
  readonly #process: ChildProcess;
  readonly #commands: number;
  readonly #answers: number;
  readonly #outputs: readonly number[];
  /** The time of the processor that the last command took, in milliseconds. */
  cpu = 0;
  /** The arguments of the command that runs. */
  #running: readonly string[] | undefined;

  /** The one of this worker. */
  static get(): HostedProgram {
    HostedProgram.#current ??= new HostedProgram();
    return HostedProgram.#current;
  }

  private constructor() {
    const [commands, answers] = [this.#path("commands"), this.#path("answers")];
    execFileSync("mkfifo", [commands, answers]);
    // Opening one end of a named pipe waits for the other, unless one opens both.
    this.#commands = openSync(commands, "r+");
    const both = openSync(answers, "r+");
    const theirs = [openSync(commands, "r"), openSync(answers, "w")] as const;
    this.#answers = openSync(answers, "r");
    this.#outputs = ["stdout", "stderr"].map((name) => openSync(this.#path(name), "a+"));
    const [stdout, stderr] = this.#outputs;
    this.#process = spawn(process.execPath, [...LONG_LIVED, PROGRAM_HOST], {
      stdio: ["ignore", stdout, stderr, ...theirs],
    });
    this.#process.unref();
    for (const fd of [both, ...theirs]) closeSync(fd);
    // What is open needs no names, and a worker that is killed leaves none.
    rmSync(this.#folder, { recursive: true });
    process.once("exit", () => this.#stop());
  }

  /** Runs a command, in which this process does nothing else. */
  run(command: HostedCommand): Ran {
    this.#send(command);
    const answer = Buffer.alloc(LONGEST_ANSWER);
    return this.#result(answer.toString("latin1", 0, readSync(this.#answers, answer)));
  }

  /** Runs a command that this process may serve requests of. */
  async runBeside(command: HostedCommand): Promise<Ran> {
    this.#send(command);
    const { bytesRead, buffer } = await promisify(read)(
      this.#answers,
      Buffer.alloc(LONGEST_ANSWER),
      0,
      LONGEST_ANSWER,
      null,
    );
    return this.#result(buffer.toString("latin1", 0, bytesRead));
  }

  #send(command: HostedCommand): void {
    if (this.#running !== undefined) throw new Error("a hosted program runs one command at a time");
    this.#running = command.args;
    writeSync(this.#commands, `${JSON.stringify(command)}\n`);
  }

  #result(answer: string): Ran {
    const args = this.#running ?? [];
    this.#running = undefined;
    const [stdout = "", stderr = ""] = this.#outputs.map((fd) => {
      const text = Buffer.alloc(fstatSync(fd).size);
      if (text.length > 0) readSync(fd, text, 0, text.length, 0);
      ftruncateSync(fd);
      return text.toString();
    });
    if (!answer.endsWith("\n")) {
      this.#stop();
      throw new Error(`the hosted program ended: ${stdout}${stderr}`);
    }
    checkJsonOutput(args, stdout);
    const [status = "", cpu] = answer.split(" ");
    this.cpu = Number(cpu);
    return { status: Number(status), stdout, stderr };
  }

  #stop(): void {
    HostedProgram.#current = undefined;
    this.#process.kill("SIGKILL");
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}
