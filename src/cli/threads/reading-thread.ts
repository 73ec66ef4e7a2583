import { readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import { readFolder } from "../../folder/read-folder.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { SourceItem } from "../../workspace/source.ts";

/** What the thread starts with. */
export interface ReadingData {
  readonly folder: string;
  readonly port: MessagePort;
  /** How many messages were sent, and how many of them taken: STOPPED when no more are wanted. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

export const [SENT, TAKEN] = [0, 1];
export const STOPPED = -1;

/** What the thread posts: items, then how it ended. */
export type ReadingMessage =
  | { readonly items: readonly SourceItem[] }
  | { readonly end: "all-read" | "failed" | Refusal };

/** What of an SvcError can be posted. */
type Refusal = Pick<SvcError, "code" | "message" | "hint" | "problems">;

/** Below this size of the entries, starting the thread takes longer than it saves. In bytes. */
const MIN_SIZE = 10_000_000;

/** How long to wait for a message, in milliseconds, before the folder is read here. */
const TIMEOUT = 60_000;

/**
 * The items of `readFolder`. Those of a large folder are read, checked and made ready for the store
 * by another thread, while this one writes them.
 *
 * @throws SvcError as `readFolder`.
 */
export function* readFolderInThread(
  folder: string,
  { minSize = MIN_SIZE, timeout = TIMEOUT } = {},
): Generator<SourceItem> {
  if (sizeOfEntries(folder) < minSize) return yield* readFolder(folder);
  const thread = new ReadingThread(folder, timeout);
  let done = 0;
  try {
    for (;;) {
      const message = thread.take() ?? { end: "failed" };
      if ("items" in message) {
        for (const item of message.items) {
          yield item;
          done += item.kind === "rows" ? item.rows.length : 1;
        }
      } else if (message.end === "all-read") return;
      else if (message.end === "failed") break;
      else throw refused(message.end);
    }
  } finally {
    thread.stop();
  }
  for (const item of readFolder(folder)) if (done-- <= 0) yield item;
}

class ReadingThread {
  readonly #progress = new Int32Array(new SharedArrayBuffer(8));
  readonly #port: MessagePort;
  readonly #timeout: number;
  #taken = 0;

  constructor(folder: string, timeout: number) {
    this.#timeout = timeout;
    const { port1, port2: port } = new MessageChannel();
    this.#port = port1;
    const data: ReadingData = { folder, progress: this.#progress, port };
    const module = new URL(`./reading-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(module, { workerData: data, transferList: [port] });
    // What a failed worker did not read is read by the main thread.
    worker.on("error", () => {});
    worker.unref();
  }

  /** The next message; undefined when it takes too long. */
  take(): ReadingMessage | undefined {
    Atomics.wait(this.#progress, SENT, this.#taken, this.#timeout);
    const message = receiveMessageOnPort(this.#port)?.message;
    this.#taken += 1;
    this.#note(this.#taken);
    return message;
  }

  stop(): void {
    this.#note(STOPPED);
    this.#port.close();
  }

  #note(taken: number): void {
    Atomics.store(this.#progress, TAKEN, taken);
    Atomics.notify(this.#progress, TAKEN);
  }
}

function refused({ code, message, hint, problems }: Refusal): SvcError {
  return new SvcError(code, message, {
    ...(hint !== undefined && { hint }),
    ...(problems !== undefined && { problems }),
  });
}

/** Of the files that hold the entries, in bytes; a folder of files counts as many kilobytes as it has files. */
function sizeOfEntries(folder: string): number {
  let size = 0;
  for (const name of ["entries.ndjson", "entries.json", "entries.jsonc"]) {
    size += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  const files = join(folder, "entries");
  if (statSync(files, { throwIfNoEntry: false })?.isDirectory()) {
    size += 1000 * readdirSync(files, { recursive: true }).length;
  }
  return size;
}
