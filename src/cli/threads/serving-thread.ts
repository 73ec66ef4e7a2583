import { extname } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { StartThread } from "../../documents/serve-stale.ts";
import { type ServingTask, servingTask } from "../../documents/serving-task.ts";

export interface ThreadData {
  readonly store: string;
  readonly task: ServingTask;
  /** The number of messages sent, for the main thread to wait on; FAILED after an error. */
  readonly sent: Int32Array<SharedArrayBuffer>;
}

/** The value of `sent` after the worker failed. */
export const FAILED = -1;

/** Below this number of entries, starting the worker takes longer than it saves. */
const MIN_ENTRIES = 20_000;

/** Starts a worker thread that serves entries of a store in parallel with the main thread. */
export function servingThread(store: string, minEntries = MIN_ENTRIES): StartThread {
  return (rendering, total) => {
    if (total < minEntries) return undefined;
    const module = new URL(`./serving-worker${extname(import.meta.url)}`, import.meta.url);
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const { port1: port, port2: workerPort } = new MessageChannel();
    const data: ThreadData = { store, task: servingTask(rendering), sent };
    const worker = new Worker(module, {
      workerData: { ...data, port: workerPort },
      transferList: [workerPort],
    });
    // The main thread serves what a failed worker did not.
    worker.on("error", () => {});
    worker.unref();
    let received = 0;
    return {
      post: (chunk) => port.postMessage(chunk),
      take(waitFor) {
        // Returns at once after a failure: `sent` is FAILED then, which never equals `received`.
        if (waitFor !== undefined) Atomics.wait(sent, 0, received, waitFor);
        const message = receiveMessageOnPort(port);
        if (message !== undefined) received += 1;
        return message?.message;
      },
      end: () => {
        port.postMessage(undefined);
        port.close();
      },
    };
  };
}
