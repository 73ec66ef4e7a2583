import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** More bytes than the buffers of two sockets, so a response of this size waits for its reader. */
export const LARGE = 24 * 1024 * 1024;

/** A client that requests a large response and stops reading after its beginning, until `read`. */
export class SlowReader {
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  #received = 0;

  private constructor(url: string) {
    this.#socket = connectTo(url);
    this.#socket.on("error", () => {});
    this.#socket.on("data", (chunk) => {
      this.#received += chunk.length;
      this.#chunks.push(chunk);
    });
    onTestFinished(() => void this.#socket.destroy());
  }

  static async request(url: string, path: string): Promise<SlowReader> {
    const reader = new SlowReader(url);
    reader.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await reader.next();
    reader.#socket.pause();
    return reader;
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  /** Reads until the body has this many bytes or the server closes the connection. */
  async read(size: number): Promise<Buffer> {
    const head = Buffer.concat(this.#chunks).indexOf("\r\n\r\n") + 4;
    this.#socket.resume();
    while (this.#received < head + size && (await this.next()) === "data");
    return Buffer.concat(this.#chunks).subarray(head);
  }

  /** Waits for the next event of the connection. */
  async next(): Promise<"data" | "closed"> {
    const received = this.#received;
    if (this.#socket.destroyed) return "closed";
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#socket.off("data", done).off("close", done);
        resolve();
      };
      this.#socket.on("data", done).on("close", done);
    });
    return this.#received > received ? "data" : "closed";
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Whether a server accepts connections at this address. */
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
