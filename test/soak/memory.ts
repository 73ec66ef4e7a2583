import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** What a process holds, in bytes. What its threads share counts for each of them. */
interface Held {
  readonly rss: number;
  /** Objects and buffers that are left once the garbage is collected. */
  readonly retained: number;
}

/** How long a thread may need to collect its garbage, in milliseconds. */
const COLLECTING = 2000;

/** For Node, before a program: lets it tell, whenever it is asked, what all its threads hold. */
export const TELLS_MEMORY = [
  "--expose-gc",
  "--import",
  `data:text/javascript,${encodeURIComponent(
    `import { BroadcastChannel, isMainThread } from "node:worker_threads";
     const threads = new BroadcastChannel("memory");
     // What is freed by a first collection may let go of more.
     const collect = (then) => {
       gc();
       setTimeout(() => {
         gc();
         const { heapUsed, external } = process.memoryUsage();
         then(heapUsed + external);
       }, ${COLLECTING / 4});
     };
     if (isMainThread) {
       let sum = 0;
       const tell = () => process.send({ rss: process.memoryUsage().rss, retained: sum });
       threads.onmessage = ({ data }) => { sum += data; };
       process.on("message", (kind) => {
         if (kind === "resident") return tell();
         sum = 0;
         collect((own) => { sum += own; });
         threads.postMessage("collect");
         setTimeout(tell, ${COLLECTING});
       });
       process.channel.unref();
     } else {
       threads.onmessage = () => collect((own) => threads.postMessage(own));
     }
     threads.unref();`,
  )}`,
];

const SECOND = 1000;

/** The memory of a process that was started with `TELLS_MEMORY`, sampled for a time. */
export class WatchedMemory {
  /** Resident memory, once a second. */
  readonly resident: number[] = [];
  /** What is retained, at each of the moments that were asked for. */
  readonly retained: number[] = [];
  readonly #process: ChildProcess;
  readonly #timer: NodeJS.Timeout;
  #asked: Promise<unknown> = Promise.resolve();

  constructor(process: ChildProcess) {
    this.#process = process;
    this.#timer = setInterval(() => {
      void this.#ask("resident").then(({ rss }) => this.resident.push(rss));
    }, SECOND);
  }

  async collect(): Promise<void> {
    this.retained.push((await this.#ask("retained")).retained);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** One question after the other, since answers do not say which they are for. */
  #ask(kind: "resident" | "retained"): Promise<Held> {
    const answer = this.#asked.then(async () => {
      const told = once(this.#process, "message");
      this.#process.send(kind);
      const [held] = await told;
      return held as Held;
    });
    this.#asked = answer;
    return answer;
  }
}
