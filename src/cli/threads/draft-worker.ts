// The worker thread of `draft-thread.ts`.
import { parentPort, workerData } from "node:worker_threads";
import { renderVersion, snapshotOf, storedVersion } from "../../publish/version.ts";
import { DraftRenderings } from "../../server/draft-renderings.ts";
import { DraftData } from "../../server/page/draft-data.ts";
import { checkIdentity, openStore } from "../../store/store.ts";
import type { DraftReply, DraftRequest, DraftThreadData } from "./draft-thread.ts";

const { store: file, identity } = workerData as DraftThreadData;
// Without it a store that was moved away would be reported as one that never existed.
checkIdentity(file, identity);
const store = openStore(file);
const data = new DraftData(store, new DraftRenderings(store), {
  draft: (rendering) => snapshotOf(renderVersion(rendering, undefined)),
  version: (row, versionId) => snapshotOf(storedVersion(store, row, versionId)),
});

function reply({ name, query }: DraftRequest): DraftReply {
  try {
    return { body: data.answer(name, new URLSearchParams(query)) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (request: DraftRequest) => parentPort?.postMessage(reply(request)));
