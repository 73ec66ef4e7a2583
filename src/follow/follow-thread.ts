// The worker thread of `followed-folder.ts`.
import { parentPort, workerData } from "node:worker_threads";
import { type FolderChange, isNothing } from "../folder/folder-change.ts";
import type { FolderRecords } from "../folder/folder-draft.ts";
import { FolderReader } from "../folder/folder-reader.ts";
import { countsOf } from "../workspace/draft.ts";
import { postedError } from "../workspace/posted-error.ts";
import type { FollowOutcome, FollowTask } from "./followed-folder.ts";
import { WatchedFolder } from "./watched-folder.ts";

/** After a failure, how long to wait for further changes: a file may be half written. In milliseconds. */
const SETTLE = 20;
/** How long to wait before retrying after errors other than faults of the folder, in milliseconds. */
const RETRY = 1000;

async function follow({ folder, except }: FollowTask): Promise<never> {
  const watched = new WatchedFolder(folder, except);
  const reader = new FolderReader(folder);
  for (;;) {
    const outcome = outcomeOf(reader, watched);
    const failure = "failure" in outcome ? outcome.failure : undefined;
    if (failure !== undefined && (await watched.changed(SETTLE))) continue;
    parentPort?.postMessage(outcome);
    const isFinal = failure === undefined || failure.code === "folder-invalid";
    await watched.changed(isFinal ? undefined : RETRY);
  }
}

function outcomeOf(reader: FolderReader, watched: WatchedFolder): FollowOutcome {
  try {
    const change = changeOf(reader, watched);
    const records = reader.records as FolderRecords;
    const state = { workspaceId: records.workspace.id, counts: countsOf(records) };
    return isNothing(change) ? state : { ...state, change };
  } catch (error) {
    return { failure: postedError(error), hasDraft: reader.records !== undefined };
  }
}

function changeOf(reader: FolderReader, watched: WatchedFolder): FolderChange {
  const paths = watched.take();
  const change = paths && reader.readChanged(paths);
  if (change !== undefined) return change;
  watched.renew();
  return reader.read();
}

await follow(workerData as FollowTask);
