import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { SecondThread } from "../publish/write-documents.ts";

/** A second thread that writes documents of a store beside the first. */
export function secondWriter(store: string): SecondThread {
  return (task) => {
    const module = new URL(`./writing-thread${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(module, { workerData: { store, task } });
    // What it cannot do the first thread does, whatever the reason.
    worker.on("error", () => {});
    worker.unref();
  };
}
