import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** The memory of a process, in bytes. Memory shared by threads is counted for each of them. */
interface MemoryUsage {
  readonly rss: number;
  /** Heap and external memory after garbage collection, of all threads. */
  readonly retained: number;
}

/** How long garbage collection in a thread may take, in milliseconds. */
const COLLECTION_TIME = 2000;

/** Arguments of Node that make a program report its memory on request. */
export const REPORT_MEMORY = [
  "--expose-gc",
  "--import",
  `data:text/javascript,${encodeURIComponent(
    `import { BroadcastChannel, isMainThread } from "node:worker_threads";
     const threads = new BroadcastChannel("memory");
     // Finalizers of a first collection may release more.
     const collect = (then) => {
       gc();
       setTimeout(() => {
         gc();
         const { heapUsed, external } = process.memoryUsage();
         then(heapUsed + external);
       }, ${COLLECTION_TIME / 4});
     };
     if (isMainThread) {
       let sum = 0;
       const report = () => process.send({ rss: process.memoryUsage().rss, retained: sum });
       threads.onmessage = ({ data }) => { sum += data; };
       process.on("message", (kind) => {
         if (kind === "resident") return report();
         sum = 0;
         collect((own) => { sum += own; });
         threads.postMessage("collect");
         setTimeout(report, ${COLLECTION_TIME});
       });
       process.channel.unref();
     } else {
       threads.onmessage = () => collect((own) => threads.postMessage(own));
     }
     threads.unref();`,
  )}`,
];

const SECOND = 1000;

/** Samples the memory of a process that was started with `REPORT_MEMORY`. */
export class WatchedMemory {
  /** Resident memory, once per second. */
  readonly resident: number[] = [];
  /** Retained memory, at each call of `collect`. */
  readonly retained: number[] = [];
  readonly #process: ChildProcess;
  readonly #timer: NodeJS.Timeout;
  #last: Promise<unknown> = Promise.resolve();

  constructor(process: ChildProcess) {
    this.#process = process;
    this.#timer = setInterval(() => {
      void this.#request("resident").then(({ rss }) => this.resident.push(rss));
    }, SECOND);
  }

  async collect(): Promise<void> {
    this.retained.push((await this.#request("retained")).retained);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** Requests are sequential, because responses do not name theirs. */
  #request(kind: "resident" | "retained"): Promise<MemoryUsage> {
    const response = this.#last.then(async () => {
      const message = once(this.#process, "message");
      this.#process.send(kind);
      const [usage] = await message;
      return usage as MemoryUsage;
    });
    this.#last = response;
    return response;
  }
}
