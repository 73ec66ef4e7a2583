import { extname } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { StartThread } from "../documents/serve-stale.ts";
import { type ServingTask, servingTask } from "../documents/serving-task.ts";

export interface ThreadData {
  readonly store: string;
  readonly task: ServingTask;
  /** Counts what was sent, so that the first thread can wait for it. */
  readonly sent: Int32Array<SharedArrayBuffer>;
}

/** Stands for a thread that cannot go on, in place of what it has sent. */
export const FAILED = -1;

/** For fewer entries a thread takes longer to start than it saves. */
const ENOUGH = 20_000;

/** A second thread that serves entries of a store beside the first. */
export function servingThread(store: string, enough = ENOUGH): StartThread {
  return (rendering, total) => {
    if (total < enough) return undefined;
    const module = new URL(`./serving-worker${extname(import.meta.url)}`, import.meta.url);
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const { port1: port, port2: theirs } = new MessageChannel();
    const data: ThreadData = { store, task: servingTask(rendering), sent };
    const worker = new Worker(module, {
      workerData: { ...data, port: theirs },
      transferList: [theirs],
    });
    // What it cannot do the first thread does, whatever the reason.
    worker.on("error", () => {});
    worker.unref();
    let taken = 0;
    return {
      post: (chunk) => port.postMessage(chunk),
      take(waitFor) {
        // It is not waited for once it has failed, since another number stands there then.
        if (waitFor !== undefined) Atomics.wait(sent, 0, taken, waitFor);
        const message = receiveMessageOnPort(port);
        if (message !== undefined) taken += 1;
        return message?.message;
      },
      end: () => {
        port.postMessage(undefined);
        port.close();
      },
    };
  };
}
