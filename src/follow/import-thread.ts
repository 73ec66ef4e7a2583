import { parentPort, workerData } from "node:worker_threads";
import { withStoreMade } from "../cli/with-store.ts";
import { readFolder } from "../folder/read-folder.ts";
import { checkIdentity } from "../store/file-identity.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Counts } from "../workspace/records.ts";
import { WatchedFolder } from "./watch-folder.ts";

/** What the thread is given. */
export interface ImportTask {
  readonly folder: string;
  readonly store: string;
  /** Files and folders that may stand in the folder and change with what is done here. */
  readonly except: readonly string[];
}

/** How a try to import the folder ended. */
export type ImportOutcome =
  | { readonly workspaceId: string; readonly counts: Counts; readonly notices: readonly string[] }
  | {
      readonly failure: ImportFailure;
      /** Whether the store has any, as far as it was read. */
      readonly hasDraft: boolean;
    };

/** An error as it passes from thread to thread. */
export interface ImportFailure {
  readonly code: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: readonly object[] | undefined;
}

/** What the thread may be told once: to which file it is to keep, as its store is open elsewhere. */
export interface KeepTo {
  readonly storeIdentity: string | undefined;
}

/** A file that is being written may look broken: so long a further change is waited for, in ms. */
const SETTLE = 20;
/** What is no fault of the folder (a busy store, a full disk) is tried again after so many ms. */
const RETRY = 1000;

/** Imports the folder now and at each change, for as long as the thread lives. */
async function follow({ folder, store, except }: ImportTask): Promise<never> {
  const watched = new WatchedFolder(folder, except);
  let kept: KeepTo | undefined;
  parentPort?.on("message", (told: KeepTo) => {
    kept = told;
  });
  for (;;) {
    watched.renew();
    const outcome = await importOnce(folder, store, kept);
    const failure = "failure" in outcome ? outcome.failure : undefined;
    if (failure !== undefined && (await watched.changed(SETTLE))) continue;
    parentPort?.postMessage(outcome);
    const isLasting = failure === undefined || failure.code === "folder-invalid";
    await watched.changed(isLasting ? undefined : RETRY);
  }
}

async function importOnce(
  folder: string,
  file: string,
  kept: KeepTo | undefined,
): Promise<ImportOutcome> {
  const notices: string[] = [];
  let hasDraft = false;
  try {
    if (kept !== undefined) checkIdentity(file, kept.storeIdentity);
    const { workspaceId, counts } = await withStoreMade(file, (store) => {
      hasDraft = store.workspaces().length > 0;
      return store.import(
        readFolder(folder, (text) => notices.push(text)),
        new Date(),
      );
    });
    return { workspaceId, counts, notices };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const { hint, problems } = error instanceof SvcError ? error : {};
    return { failure: { code, message, hint, problems }, hasDraft };
  }
}

await follow(workerData as ImportTask);
