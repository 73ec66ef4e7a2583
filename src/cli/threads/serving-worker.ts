// The worker thread of `serving-thread.ts`.
import { type MessagePort, workerData } from "node:worker_threads";
import type { Chunk } from "../../documents/serve-chunk.ts";
import { chunkServer } from "../../documents/serving-task.ts";
import { packMemory } from "../../documents/text-packs.ts";
import { openStore } from "../../store/store.ts";
import { FAILED, type ThreadData } from "./serving-thread.ts";

const { store: file, task, sent, port } = workerData as ThreadData & { port: MessagePort };

/** The main thread then serves the remaining entries itself. */
function fail(): void {
  Atomics.store(sent, 0, FAILED);
  Atomics.notify(sent, 0);
  port.close();
}

try {
  const store = openStore(file);
  const serve = store.read(() => chunkServer(store.draft(store.workspace(task.workspaceId)), task));
  port.on("message", (chunk: Chunk | undefined) => {
    try {
      const served =
        chunk &&
        store.read(() =>
          // Another process may have changed the draft; the main thread reads its own snapshot.
          store.workspace(task.workspaceId).revision === task.revision ? serve(chunk) : undefined,
        );
      if (served === undefined) return fail();
      port.postMessage(served, served.packs.flatMap(packMemory));
      Atomics.add(sent, 0, 1);
      Atomics.notify(sent, 0);
    } catch {
      fail();
    }
  });
  port.on("close", () => store.close());
} catch {
  fail();
}
