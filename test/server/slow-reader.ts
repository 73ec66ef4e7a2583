import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** More bytes than two sockets hold: an answer of this size stays under way while nobody reads. */
export const LARGE = 24 * 1024 * 1024;

/** A client that asks for something large, and hears only its beginning until it is told to. */
export class SlowReader {
  readonly #socket: Socket;
  readonly #pieces: Buffer[] = [];
  #heard = 0;

  private constructor(url: string) {
    this.#socket = connectTo(url);
    this.#socket.on("error", () => {});
    this.#socket.on("data", (piece) => {
      this.#heard += piece.length;
      this.#pieces.push(piece);
    });
    onTestFinished(() => void this.#socket.destroy());
  }

  static async ask(url: string, path: string): Promise<SlowReader> {
    const reader = new SlowReader(url);
    reader.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await reader.next();
    reader.#socket.pause();
    return reader;
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  /** Reads on until the body has this many bytes, or the server hangs up. */
  async read(size: number): Promise<Buffer> {
    const head = Buffer.concat(this.#pieces).indexOf("\r\n\r\n") + 4;
    this.#socket.resume();
    while (this.#heard < head + size && (await this.next()) === "says more");
    return Buffer.concat(this.#pieces).subarray(head);
  }

  /** What the server does next. */
  async next(): Promise<"says more" | "hangs up"> {
    const heard = this.#heard;
    if (this.#socket.destroyed) return "hangs up";
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#socket.off("data", done).off("close", done);
        resolve();
      };
      this.#socket.on("data", done).on("close", done);
    });
    return this.#heard > heard ? "says more" : "hangs up";
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Whether a server takes connections at this address. */
export function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo(url);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}
