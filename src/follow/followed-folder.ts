import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type FolderFault, SvcError } from "../workspace/errors.ts";
import type { Counts } from "../workspace/records.ts";
import type { ImportFailure, ImportOutcome, ImportTask, RequiredStore } from "./import-thread.ts";

/** V8 would let the garbage of an import grow to 100 MB; 3 MB are as fast. */
const LIMITS = { maxYoungGenerationSizeMb: 3 };

/** Receives the outcomes of imports, for the author to see. */
export interface ImportReporter {
  readonly imported: (workspaceId: string, counts: Counts) => void;
  readonly failed: (error: Error) => void;
}

/**
 * A workspace folder that a worker thread imports now and after every change, so that requests
 * are not blocked. Reports each outcome; a failure that repeats is reported once.
 */
export class FollowedFolder {
  /** The faults of the last import; empty if it succeeded. */
  faults: readonly FolderFault[] = [];
  /** The workspace of the last successful import. */
  workspaceId: string | undefined;
  readonly #worker: Worker;
  readonly #reporter: ImportReporter;
  /** The last outcome that was reported, as JSON. */
  #reported = "";
  #onImport: (faults: readonly FolderFault[]) => boolean = () => true;

  private constructor(task: ImportTask, reporter: ImportReporter) {
    this.#reporter = reporter;
    const module = new URL(`./import-thread${extname(import.meta.filename)}`, import.meta.url);
    this.#worker = new Worker(module, { workerData: task, resourceLimits: LIMITS });
  }

  /**
   * Imports the folder for the first time. If its files have faults, it is followed all the same.
   *
   * @throws SvcError or a system error for any other failure: a missing folder, an unusable store.
   */
  static async start(task: ImportTask, reporter: ImportReporter): Promise<FollowedFolder> {
    const followed = new FollowedFolder(task, reporter);
    const worker = followed.#worker;
    const first = await new Promise<ImportOutcome>((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
    });
    worker.removeAllListeners("error");
    if ("failure" in first && first.failure.code !== "folder-invalid") {
      await followed.close();
      throw errorOf(first.failure, first.hasDraft);
    }
    followed.#onOutcome(first);
    worker.on("message", (outcome: ImportOutcome) => followed.#onOutcome(outcome));
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

  #onOutcome(outcome: ImportOutcome): void {
    this.faults = "failure" in outcome ? faultsOf(outcome.failure) : [];
    if ("workspaceId" in outcome) this.workspaceId = outcome.workspaceId;
    const isStoreUsable = this.#onImport(this.faults);
    const isNew = JSON.stringify(outcome) !== this.#reported;
    if ("failure" in outcome) {
      if (!isStoreUsable || !isNew) return;
      const { failure, hasDraft } = outcome;
      this.#reporter.failed(errorOf(failure, hasDraft));
    } else {
      this.#reporter.imported(outcome.workspaceId, outcome.counts);
    }
    this.#reported = JSON.stringify(outcome);
  }
}

function faultsOf({ code = "system", message, problems }: ImportFailure): readonly FolderFault[] {
  if (problems?.kind === "folder") return problems.list;
  const subject = /^(?:store-|disk-full$)/.test(code) ? "store" : "folder";
  return [{ code, file: "", message, subject }];
}

function errorOf({ code, message, hint, problems }: ImportFailure, hasDraft: boolean): Error {
  // A system error has a code, but no hint.
  if (code === undefined || hint === undefined) return Object.assign(new Error(message), { code });
  const until = hasDraft ? "the last good draft is served" : "there is no draft to serve";
  const shown = code === "folder-invalid" ? `fix them; until then ${until}` : hint;
  return new SvcError(code, message, { hint: shown, ...(problems && { problems }) });
}

function failureOf(error: unknown): ImportFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return { code, message, hint: undefined, problems: undefined };
}
