// The worker thread of `followed-folder.ts`.
import { parentPort, workerData } from "node:worker_threads";
import { postedError } from "../workspace/posted-error.ts";
import { FolderInMemory } from "./folder-in-memory.ts";
import type { FolderUse, FollowOutcome, FollowTask, RequiredStore } from "./folder-use.ts";
import { WatchedFolder } from "./watched-folder.ts";

/** After a failure, how long to wait for further changes: a file may be half written. In milliseconds. */
const SETTLE = 20;
/** How long to wait before retrying after errors other than faults of the folder, in milliseconds. */
const RETRY = 1000;

/** Uses the folder now and after each change, until the thread is terminated. */
async function follow(task: FollowTask): Promise<never> {
  const watched = new WatchedFolder(task.folder, task.except);
  const use = await useOf(task);
  for (;;) {
    const outcome = await outcomeOf(use, watched);
    const failure = "failure" in outcome ? outcome.failure : undefined;
    if (failure !== undefined && (await watched.changed(SETTLE))) continue;
    parentPort?.postMessage(outcome);
    const isFinal = failure === undefined || failure.code === "folder-invalid";
    await watched.changed(isFinal ? undefined : RETRY);
  }
}

async function useOf({ folder, store }: FollowTask): Promise<FolderUse> {
  if (store === undefined) return new FolderInMemory(folder);
  // SQLite is loaded only where there is a store.
  const { ImportedFolder } = await import("./imported-folder.ts");
  const imported = new ImportedFolder(folder, store);
  parentPort?.on("message", (required: RequiredStore) => {
    imported.required = required;
  });
  return imported;
}

async function outcomeOf(use: FolderUse, watched: WatchedFolder): Promise<FollowOutcome> {
  try {
    return await use.update(watched);
  } catch (error) {
    return { failure: postedError(error), hasDraft: use.hasDraft };
  }
}

await follow(workerData as FollowTask);
