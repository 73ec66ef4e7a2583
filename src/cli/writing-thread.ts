// The second thread of `second-writer.ts`.
import { workerData } from "node:worker_threads";
import { type WriteTask, workOn } from "../publish/write-documents.ts";
import { openStore } from "../store/store.ts";

const { store: file, task } = workerData as { store: string; task: WriteTask };
const store = openStore(file);
try {
  store.read(() => workOn(task, store.versions.uncheckedReader()));
} finally {
  store.close();
}
