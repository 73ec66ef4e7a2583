import { expect } from "vitest";
import { RunningProgram } from "../running-program.ts";
import { HttpClient } from "./serving.ts";

/** `svc serve` or `svc preview` as a child process on a free port. */
export class ServerProcess extends RunningProgram {
  private constructor([command = "", ...more]: readonly string[]) {
    super([command, "--port", "0", ...more]);
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
    const status = await server.end();
    expect([2, 4]).toContain(status);
    expect(server.stdout).toBe("");
    expect(server.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
    return server.stderr.trimEnd().split("\n");
  }

  #printsUrl(): Promise<boolean> {
    return this.passes(() => this.stdout.includes("\n"));
  }

  /** Sends requests to the URL that the program printed. */
  get client(): HttpClient {
    const [url] = /http:\/\/[^/"]+/.exec(this.stdout) ?? [];
    if (url === undefined) throw new Error(`no URL: ${this.stdout}`);
    return new HttpClient(url);
  }

  /** The exit status of the process, or the signal that killed it. */
  async end(): Promise<number | string | null> {
    await this.ended;
    return this.process.signalCode ?? this.process.exitCode;
  }
}
