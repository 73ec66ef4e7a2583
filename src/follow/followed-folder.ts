import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { FolderChange } from "../folder/folder-change.ts";
import { type FolderFault, SvcError } from "../workspace/errors.ts";
import type { Counts } from "../workspace/records.ts";
import type { FollowFailure, FollowOutcome, FollowTask, RequiredStore } from "./folder-use.ts";

/** V8 would let the garbage of an import grow to 100 MB; 3 MB are as fast. */
const LIMITS = { maxYoungGenerationSizeMb: 3 };

/** Receives the outcomes, for the author to see. */
export interface FollowReporter {
  /** Of a folder that is not imported: what has changed in its draft; before everything else. */
  readonly changed?: (change: FolderChange) => void;
  readonly imported: (workspaceId: string, counts: Counts) => void;
  readonly failed: (error: Error) => void;
}

/**
 * A workspace folder that a worker thread imports or reads now and after every change, so that
 * requests are not blocked. Reports each outcome; a failure that repeats is reported once.
 */
export class FollowedFolder {
  /** The faults of the last import; empty if it succeeded. */
  faults: readonly FolderFault[] = [];
  /** The workspace of the last successful import. */
  workspaceId: string | undefined;
  readonly #worker: Worker;
  readonly #reporter: FollowReporter;
  /** The last outcome if it was a failure that was reported, as JSON. */
  #reported = "";
  #onImport: (faults: readonly FolderFault[]) => boolean = () => true;

  private constructor(task: FollowTask, reporter: FollowReporter) {
    this.#reporter = reporter;
    const module = new URL(`./follow-thread${extname(import.meta.filename)}`, import.meta.url);
    this.#worker = new Worker(module, {
      workerData: task,
      resourceLimits: LIMITS,
      // Other threads read what it holds in a file, also when it has failed.
      trackUnmanagedFds: false,
    });
  }

  /**
   * Imports the folder for the first time. If its files have faults, it is followed all the same.
   *
   * @throws SvcError or a system error for any other failure: a missing folder, an unusable store.
   */
  static async start(task: FollowTask, reporter: FollowReporter): Promise<FollowedFolder> {
    const followed = new FollowedFolder(task, reporter);
    const worker = followed.#worker;
    const first = await new Promise<FollowOutcome>((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
    });
    worker.removeAllListeners("error");
    if ("failure" in first && first.failure.code !== "folder-invalid") {
      await followed.close();
      throw errorOf(first.failure, first.hasDraft);
    }
    followed.#onOutcome(first);
    worker.on("message", (outcome: FollowOutcome) => followed.#onOutcome(outcome));
    worker.on("error", (error) =>
      followed.#onOutcome({ failure: failureOf(error), hasDraft: false }),
    );
    return followed;
  }

  /**
   * Calls the listener with the faults of each further import. If it returns false, it has reported
   * that the store is unusable, and the failure is not reported again.
   */
  onImport(listener: (faults: readonly FolderFault[]) => boolean): void {
    this.#onImport = listener;
  }

  /** From now on imports fail if the store's file was replaced or removed. */
  requireStore(storeIdentity: string | undefined): void {
    this.#worker.postMessage({ storeIdentity } satisfies RequiredStore);
  }

  /** Terminates the thread; a running import is rolled back. */
  async close(): Promise<void> {
    this.#worker.removeAllListeners("message");
    await this.#worker.terminate();
  }

  #onOutcome(outcome: FollowOutcome): void {
    if ("failure" in outcome) {
      const { failure, hasDraft } = outcome;
      this.faults = faultsOf(failure);
      const isStoreUsable = this.#onImport(this.faults);
      const isNew = JSON.stringify(outcome) !== this.#reported;
      if (!isStoreUsable || !isNew) return;
      this.#reporter.failed(errorOf(failure, hasDraft));
      this.#reported = JSON.stringify(outcome);
    } else {
      const { workspaceId, counts, change } = outcome;
      this.faults = [];
      this.workspaceId = workspaceId;
      if (change !== undefined) this.#reporter.changed?.(change);
      this.#onImport([]);
      this.#reporter.imported(workspaceId, counts);
      this.#reported = "";
    }
  }
}

function faultsOf({ code = "system", message, problems }: FollowFailure): readonly FolderFault[] {
  if (problems?.kind === "folder") return problems.list;
  const subject = /^(?:store-|disk-full$)/.test(code) ? "store" : "folder";
  return [{ code, file: "", message, subject }];
}

function errorOf({ code, message, hint, problems }: FollowFailure, hasDraft: boolean): Error {
  // A system error has a code, but no hint.
  if (code === undefined || hint === undefined) return Object.assign(new Error(message), { code });
  const until = hasDraft ? "the last good draft is served" : "there is no draft to serve";
  const shown = code === "folder-invalid" ? `fix them; until then ${until}` : hint;
  return new SvcError(code, message, { hint: shown, ...(problems && { problems }) });
}

function failureOf(error: unknown): FollowFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return { code, message, hint: undefined, problems: undefined };
}
