// The worker thread of `followed-folder.ts`.
import { parentPort, workerData } from "node:worker_threads";
import { type FolderChange, isNothing } from "../folder/folder-change.ts";
import { FolderReader } from "../folder/folder-reader.ts";
import { posted } from "../folder/posted-change.ts";
import { countsOf } from "../workspace/draft.ts";
import type { SvcError } from "../workspace/errors.ts";
import { postedError } from "../workspace/posted-error.ts";
import type { FollowOutcome, FollowRead, FollowTask } from "./followed-folder.ts";
import { WatchedFolder } from "./watched-folder.ts";

/** After a failure, how long to wait for further changes: a file may be half written. In milliseconds. */
const SETTLE = 20;
/** How long to wait before retrying after errors other than faults of the folder, in milliseconds. */
const RETRY = 1000;

async function follow({ folder, except }: FollowTask): Promise<never> {
  const watched = new WatchedFolder(folder, except);
  const reader = new FolderReader(folder);
  let changes: FolderChange[] = [];
  let reported = "";
  let asked = 0;
  parentPort?.on("message", ({ paths }: FollowRead) => {
    asked += 1;
    watched.note(paths);
  });
  for (;;) {
    const answered = asked;
    const failure = failureOf(() => changes.push(changeOf(reader, watched))) ?? reader.faults;
    const said = failure === undefined ? "" : JSON.stringify(postedError(failure));
    if (said !== "" && said !== reported && (await watched.changed(SETTLE))) continue;
    reported = said;
    const found = changes.filter((one) => !isNothing(one));
    parentPort?.postMessage({ ...outcomeOf(reader, found, failure), answered });
    changes = [];
    const isFinal = failure === undefined || failure.code === "folder-invalid";
    await watched.changed(isFinal ? undefined : RETRY);
  }
}

function failureOf(read: () => unknown): SvcError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error as SvcError;
  }
}

function outcomeOf(
  { records }: FolderReader,
  changes: readonly FolderChange[],
  failure: SvcError | undefined,
): Omit<FollowOutcome, "answered"> {
  return {
    ...(records && { state: { workspaceId: records.workspace.id, counts: countsOf(records) } }),
    changes: changes.map(posted),
    ...(failure && { failure: postedError(failure) }),
  };
}

function changeOf(reader: FolderReader, watched: WatchedFolder): FolderChange {
  const paths = watched.take();
  const change = paths && reader.readChanged(paths);
  if (change !== undefined) return change;
  watched.renew();
  return reader.read();
}

await follow(workerData as FollowTask);
