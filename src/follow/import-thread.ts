import { parentPort, workerData } from "node:worker_threads";
import { readFolder } from "../folder/read-folder.ts";
import { checkIdentity } from "../store/store.ts";
import { withStore } from "../store/with-store.ts";
import { type ErrorProblems, SvcError } from "../workspace/errors.ts";
import type { Counts } from "../workspace/records.ts";
import { WatchedFolder } from "./watched-folder.ts";

/** The data that the thread starts with. */
export interface ImportTask {
  readonly folder: string;
  readonly store: string;
  /** Paths whose changes are ignored, such as the store's own files. */
  readonly except: readonly string[];
}

/** The result of one import, as the thread posts it. */
export type ImportOutcome =
  | { readonly workspaceId: string; readonly counts: Counts }
  | {
      readonly failure: ImportFailure;
      /** Whether the store has a draft; false if the import failed before reading the store. */
      readonly hasDraft: boolean;
    };

/** An error in a form that can be posted between threads. */
export interface ImportFailure {
  readonly code: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: ErrorProblems | undefined;
}

/** Posted to the thread: import only into the store with this identity. */
export interface RequiredStore {
  readonly storeIdentity: string | undefined;
}

/** After a failure, how long to wait for further changes: a file may be half written. In milliseconds. */
const SETTLE = 20;
/** How long to wait before retrying after errors other than faults of the folder, in milliseconds. */
const RETRY = 1000;

/** Imports the folder now and after each change, until the thread is terminated. */
async function follow({ folder, store, except }: ImportTask): Promise<never> {
  const watched = new WatchedFolder(folder, except);
  let required: RequiredStore | undefined;
  parentPort?.on("message", (message: RequiredStore) => {
    required = message;
  });
  for (;;) {
    watched.renew();
    const outcome = await importOnce(folder, store, required);
    const failure = "failure" in outcome ? outcome.failure : undefined;
    if (failure !== undefined && (await watched.changed(SETTLE))) continue;
    parentPort?.postMessage(outcome);
    const isFinal = failure === undefined || failure.code === "folder-invalid";
    await watched.changed(isFinal ? undefined : RETRY);
  }
}

async function importOnce(
  folder: string,
  file: string,
  required: RequiredStore | undefined,
): Promise<ImportOutcome> {
  let hasDraft = false;
  try {
    if (required !== undefined) checkIdentity(file, required.storeIdentity);
    const { workspaceId, counts } = await withStore(
      file,
      (store) => {
        hasDraft = store.workspaces().length > 0;
        return store.import(readFolder(folder), new Date());
      },
      { create: true },
    );
    return { workspaceId, counts };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const { hint, problems } = error instanceof SvcError ? error : {};
    return { failure: { code, message, hint, problems }, hasDraft };
  }
}

await follow(workerData as ImportTask);
