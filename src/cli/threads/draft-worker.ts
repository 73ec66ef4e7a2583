// The worker thread of `draft-thread.ts`.
import { parentPort, workerData } from "node:worker_threads";
import { renderVersion, snapshotOf, storedVersion } from "../../publish/version.ts";
import { DraftRenderings } from "../../server/draft-renderings.ts";
import type { SnapshotSource } from "../../server/page/changes.ts";
import { DraftData } from "../../server/page/draft-data.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import { postedError } from "../../workspace/posted-error.ts";
import { FolderDrafts } from "../preview/folder-drafts.ts";
import type { DraftChange, DraftReply, DraftRequest, DraftThreadData } from "./draft-thread.ts";

const folder = new FolderDrafts();
const given = workerData as DraftThreadData;
const data = await draftData();

async function draftData(): Promise<DraftData> {
  if ("folder" in given) {
    if (given.folder !== undefined) folder.change(given.folder);
    return answering(folder, () => {
      throw new TypeError("nothing of a folder is published");
    });
  }
  // SQLite is loaded only where there is a store.
  const { checkIdentity, openStore } = await import("../../store/store.ts");
  // Without it a store that was moved away would be reported as one that never existed.
  checkIdentity(given.store, given.identity);
  const store = openStore(given.store);
  return answering(store, (row, id) => snapshotOf(storedVersion(store, row, id)));
}

function answering(drafts: PreviewedDrafts, version: SnapshotSource["version"]): DraftData {
  return new DraftData(drafts, new DraftRenderings(drafts, undefined, given.severity), {
    draft: (rendering) => snapshotOf(renderVersion(rendering, undefined)),
    version,
  });
}

function reply({ name, query }: DraftRequest): DraftReply {
  try {
    return { body: data.answer(name, new URLSearchParams(query)) };
  } catch (error) {
    return { failure: postedError(error) };
  }
}

parentPort?.on("message", (message: DraftRequest | DraftChange) => {
  if ("change" in message) folder.change(message.change);
  else parentPort?.postMessage(reply(message));
});
