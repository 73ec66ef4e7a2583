// The worker thread of `reading-thread.ts`.
import { workerData } from "node:worker_threads";
import { readFolder } from "../../folder/read-folder.ts";
import { entryRow } from "../../store/row-check.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { EntryRow } from "../../workspace/source.ts";
import { type ReadingData, type ReadingMessage, SENT, STOPPED, TAKEN } from "./reading-thread.ts";

const { folder, progress, port } = workerData as ReadingData;

/** How many entries are sent together. */
const BATCH = 256;
/** How many messages may wait to be taken. */
const AHEAD = 8;

function post(message: ReadingMessage): void {
  port.postMessage(message);
  const sent = Atomics.add(progress, SENT, 1) + 1;
  Atomics.notify(progress, SENT);
  for (;;) {
    const taken = Atomics.load(progress, TAKEN);
    if (taken === STOPPED || sent - taken < AHEAD) return;
    Atomics.wait(progress, TAKEN, taken);
  }
}

function read(): void {
  let rows: EntryRow[] = [];
  const flush = () => {
    if (rows.length > 0) post({ items: [{ kind: "rows", rows }] });
    rows = [];
  };
  for (const item of readFolder(folder)) {
    if (Atomics.load(progress, TAKEN) === STOPPED) return;
    if (item.kind === "entries") {
      if (rows.push(entryRow(item.record)) === BATCH) flush();
    } else {
      flush();
      post({ items: [item] });
    }
  }
  flush();
}

try {
  read();
  post({ end: "all-read" });
} catch (error) {
  if (!(error instanceof SvcError)) post({ end: "failed" });
  else {
    const { code, message, hint, problems } = error;
    post({ end: { code, message, hint, problems } });
  }
}
