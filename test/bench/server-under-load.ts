import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import type { Load } from "./load.ts";

/** Sends a load to a URL from a child process. */
export async function loadOf(url: string, connections: number, seconds: number): Promise<Load> {
  const args = [join(import.meta.dirname, "load.ts"), url, `${connections}`, `${seconds}`];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

/** A server as a child process, which prints its URL first. */
export class ServerUnderLoad {
  readonly process: ChildProcess;
  /** The origin, without a trailing slash. */
  readonly url: string;
  stderr = "";

  private constructor(process: ChildProcess, url: string) {
    this.process = process;
    this.url = url;
    process.stderr?.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
  }

  static async start(...args: readonly string[]): Promise<ServerUnderLoad> {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
    const [line] = await once(createInterface({ input: child.stdout as Readable }), "line");
    const [url] = /http:\/\/[^/"]+/.exec(line) ?? [];
    if (url === undefined) throw new Error(`${args.join(" ")} printed no URL: ${line}`);
    return new ServerUnderLoad(child, url);
  }

  async stop(): Promise<void> {
    this.process.kill("SIGTERM");
    await once(this.process, "exit");
  }
}
