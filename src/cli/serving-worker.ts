// The second thread of `serving-thread.ts`.
import { type MessagePort, workerData } from "node:worker_threads";
import type { Chunk } from "../documents/serve-chunk.ts";
import { chunkServer } from "../documents/serving-task.ts";
import { openStore } from "../store/store.ts";
import type { ThreadData } from "./serving-thread.ts";

const { store: file, task, sent, port } = workerData as ThreadData & { port: MessagePort };
const store = openStore(file);
const draft = store.draft(store.workspace(task.workspaceId));
const serve = draft.revision === task.revision ? chunkServer(draft, task) : undefined;
port.on("message", (chunk: Chunk | undefined) => {
  if (chunk === undefined || serve === undefined) {
    port.close();
    store.close();
    return;
  }
  port.postMessage(store.read(() => serve(chunk)));
  Atomics.add(sent, 0, 1);
  Atomics.notify(sent, 0);
});
