import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { expect, onTestFinished } from "vitest";
import { PROGRAM } from "../program.ts";
import { HttpClient } from "./serving.ts";

/** `svc serve` or `svc preview` as a child process on a free port, killed after the test. */
export class ServerProcess {
  stdout = "";
  stderr = "";
  readonly #process: ChildProcessByStdio<null, Readable, Readable>;
  readonly #ended: Promise<unknown>;

  private constructor([command = "", ...more]: readonly string[]) {
    const { PATH = "" } = process.env;
    this.#process = spawn(process.execPath, [PROGRAM, command, "--port", "0", ...more], {
      env: { PATH },
      stdio: ["ignore", "pipe", "pipe"],
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

  /** Resolves when the program has printed its URL; rejects if it ends before. */
  static async start(...args: readonly string[]): Promise<ServerProcess> {
    const server = new ServerProcess(args);
    if (await server.#printsUrl()) return server;
    throw new Error(`svc ${args.join(" ")} ended: ${server.stderr}`);
  }

  /** Starts a server that must fail; returns the lines on stderr: the error and its hint. */
  static async refusal(...args: readonly string[]): Promise<string[]> {
    const server = new ServerProcess(args);
    if (await server.#printsUrl()) throw new Error(`svc ${args.join(" ")} serves`);
    expect([await server.end(), server.stdout]).toEqual([1, ""]);
    expect(server.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
    return server.stderr.trimEnd().split("\n");
  }

  async #printsUrl(): Promise<boolean> {
    let ended = false;
    const end = this.#ended.then(() => {
      ended = true;
    });
    while (!ended && !this.stdout.includes("\n")) {
      await Promise.race([once(this.#process.stdout, "data"), end]);
    }
    return this.stdout.includes("\n");
  }

  /** Sends requests to the URL that the program printed. */
  get client(): HttpClient {
    const [url] = /http:\/\/[^/"]+/.exec(this.stdout) ?? [];
    if (url === undefined) throw new Error(`no URL: ${this.stdout}`);
    return new HttpClient(url);
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** The exit status of the process, or the signal that killed it. */
  async end(): Promise<number | string | null> {
    await this.#ended;
    return this.#process.signalCode ?? this.#process.exitCode;
  }
}
