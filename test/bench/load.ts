// node load.ts <url> <connections> <seconds>: requests one experience over keep-alive connections, one
// request after another on each, and prints a `Load` as JSON. Only status and length of a response are
// parsed, so that the server is measured, not the client.
// node load.ts <folder>: serves the folder with plain serve-handler, to compare with; prints its URL.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import serveHandler from "serve-handler";

export interface Load {
  readonly requestsPerSecond: number;
  /** Milliseconds from the request to the last byte. */
  readonly p50: number;
  readonly p99: number;
  /** The first answers that are not 200. */
  readonly faults: readonly string[];
}

/** Sends a load from a process of its own. */
export async function loadOf(url: string, seconds: number, connections = 64) {
  const args = [import.meta.filename, url, `${connections}`, `${seconds}`];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as Load;
}

/** A server as a process, which prints its URL first. */
export class ServerUnderLoad {
  readonly process: ChildProcess;
  /** The origin, without a trailing slash. */
  readonly url: string;
  /** What it printed first. */
  readonly line: string;
  stderr = "";

  private constructor(process: ChildProcess, url: string, line: string) {
    this.process = process;
    this.url = url;
    this.line = line;
    process.stderr?.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
  }

  static async start(...args: readonly string[]): Promise<ServerUnderLoad> {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
    const [line] = await once(
      createInterface({ input: child.stdout as NodeJS.ReadableStream }),
      "line",
    );
    const [url] = /http:\/\/[^/"]+/.exec(line) ?? [];
    if (url === undefined) throw new Error(`${args.join(" ")} printed no URL: ${line}`);
    return new ServerUnderLoad(child, url, line);
  }

  /** Plain serve-handler on a folder. */
  static plain(folder: string): Promise<ServerUnderLoad> {
    return ServerUnderLoad.start(import.meta.filename, folder);
  }

  async stop(): Promise<void> {
    this.process.kill("SIGTERM");
    await once(this.process, "exit");
  }
}

const HEAD_END = Buffer.from("\r\n\r\n");
const FAULTS_TOLD = 5;

async function load(address: string, connections: number, seconds: number) {
  const { hostname, port, pathname, search, host } = new URL(address);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const times: number[] = [];
  const faults: string[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  const connection = () =>
    new Promise<void>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let [asked, missing] = [0, 0];
      let pieces: Buffer[] = [];
      const ask = () => {
        asked = performance.now();
        if (asked > end || faults.length >= FAULTS_TOLD) socket.destroy();
        else socket.write(request);
      };
      const answered = () => {
        times.push(performance.now() - asked);
        pieces = [];
        ask();
      };
      socket.on("connect", ask).on("close", () => resolve());
      socket.on("error", (error) => faults.push(`${error}`));
      socket.on("data", (piece: Buffer) => {
        if (missing > 0) {
          missing -= piece.length;
        } else {
          const head = Buffer.concat([...pieces, piece]);
          const headEnd = head.indexOf(HEAD_END);
          pieces = [head];
          if (headEnd < 0) return;
          const text = head.toString("latin1", 0, headEnd);
          if (!text.startsWith("HTTP/1.1 200")) faults.push(text);
          const body = head.subarray(headEnd + HEAD_END.length);
          missing = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]) - body.length;
          pieces = [];
        }
        if (missing <= 0) answered();
      });
    });
  await Promise.all(Array.from({ length: connections }, connection));
  const sorted = Float64Array.from(times).sort();
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  const requestsPerSecond = (1000 * times.length) / (performance.now() - start);
  return { requestsPerSecond, p50: at(0.5), p99: at(0.99), faults };
}

if (import.meta.main) {
  const [place = "", connections, seconds] = process.argv.slice(2);
  if (connections === undefined) {
    const server = createServer((request, response) => {
      void serveHandler(request, response, { public: place });
    });
    server.listen(0, "127.0.0.1", () => {
      process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
    });
  } else {
    const result = await load(place, Number(connections), Number(seconds));
    process.stdout.write(JSON.stringify(result));
  }
}
