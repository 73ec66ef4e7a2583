import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { FolderChange } from "../folder/folder-change.ts";
import { type PostedChange, received } from "../folder/posted-change.ts";
import type { FolderFault } from "../workspace/errors.ts";
import { errorFrom, type PostedError, postedError } from "../workspace/posted-error.ts";
import type { Counts } from "../workspace/records.ts";
import { threadEnv } from "../workspace/thread-env.ts";

/** V8 would let the garbage of an update grow to 100 MB; 3 MB are as fast. */
const LIMITS = { maxYoungGenerationSizeMb: 3 };

export interface FollowTask {
  readonly folder: string;
  /** Paths whose changes are ignored, such as the published files. */
  readonly except: readonly string[];
}

/** Posted to the thread: files that were changed, to be read at once. */
export interface FollowRead {
  readonly paths: readonly string[];
}

export interface FollowOutcome {
  /** How many of those messages came before the folder was read. */
  readonly answered: number;
  /** Undefined: there is no draft. */
  readonly state?: { readonly workspaceId: string; readonly counts: Counts };
  /** Since the last outcome, one after the other. */
  readonly changes: readonly PostedChange[];
  /** H10a: the folder may have faults and a draft. */
  readonly failure?: PostedError;
}

export interface FollowReporter {
  /** What has changed in the draft; before everything else. */
  readonly changed: (change: FolderChange, posted: PostedChange) => void;
  readonly updated: (workspaceId: string, counts: Counts) => void;
  readonly failed: (error: Error) => void;
}

/**
 * H10: a workspace folder that a worker thread reads now and after every change, so that requests are
 * not blocked: an update. Reports each outcome; a failure that repeats is reported once.
 */
export class FollowedFolder {
  faults: readonly FolderFault[] = [];
  workspaceId: string | undefined;
  readonly #worker: Worker;
  readonly #reporter: FollowReporter;
  /** The last outcome if it was a failure that was reported, as JSON. */
  #reported = "";
  #onUpdate: (faults: readonly FolderFault[]) => boolean = () => true;
  /** Who waits for files that were asked for, the first one first. */
  #waiting: (() => void)[] = [];
  #answered = 0;

  private constructor(task: FollowTask, reporter: FollowReporter) {
    this.#reporter = reporter;
    const module = new URL(`./follow-thread${extname(import.meta.filename)}`, import.meta.url);
    this.#worker = new Worker(module, {
      workerData: task,
      env: threadEnv(),
      resourceLimits: LIMITS,
      // Other threads read what it holds in a file, also when it has failed.
      trackUnmanagedFds: false,
    });
  }

  /**
   * Reads the folder for the first time. If its files have faults, it is followed all the same.
   *
   * @throws SvcError or a system error for any other failure, such as a missing folder.
   */
  static async start(task: FollowTask, reporter: FollowReporter): Promise<FollowedFolder> {
    const followed = new FollowedFolder(task, reporter);
    const worker = followed.#worker;
    const first = await new Promise<FollowOutcome>((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
    });
    worker.removeAllListeners("error");
    const { failure } = first;
    if (failure !== undefined && failure.code !== "folder-invalid") {
      await followed.close();
      throw errorFrom(failure);
    }
    followed.#onOutcome(first);
    worker.on("message", (outcome: FollowOutcome) => followed.#onOutcome(outcome));
    worker.on("error", (error) =>
      followed.#onOutcome({ failure: postedError(error), changes: [], answered: Infinity }),
    );
    return followed;
  }

  /**
   * Calls the listener with the faults of each further update. If it returns false, it has reported
   * that the drafts cannot be used, and the failure is not reported again.
   */
  onUpdate(listener: (faults: readonly FolderFault[]) => boolean): void {
    this.#onUpdate = listener;
  }

  /** Reads files that were just changed, relative to the folder; resolves when the change was reported. */
  read(paths: readonly string[]): Promise<void> {
    // The thread has failed, which was reported.
    if (this.#answered === Infinity) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage({ paths } satisfies FollowRead);
    });
  }

  async close(): Promise<void> {
    this.#worker.removeAllListeners("message");
    for (const resolve of this.#waiting.splice(0)) resolve();
    await this.#worker.terminate();
  }

  #onOutcome({ state, changes, failure, answered }: FollowOutcome): void {
    this.faults = failure === undefined ? [] : faultsOf(failure);
    this.workspaceId = state?.workspaceId ?? this.workspaceId;
    for (const posted of changes) this.#reporter.changed(received(posted), posted);
    const isUsable = this.#onUpdate(this.faults);
    const isRead = changes.length > 0 || (failure === undefined && this.#reported !== "");
    if (isRead && state !== undefined) this.#reporter.updated(state.workspaceId, state.counts);
    for (const resolve of this.#waiting.splice(0, answered - this.#answered)) resolve();
    this.#answered = answered;
    const reported = failure === undefined ? "" : JSON.stringify(failure);
    if (failure === undefined) this.#reported = "";
    else if (isUsable && reported !== this.#reported) {
      this.#reporter.failed(errorOf(failure, state !== undefined));
      this.#reported = reported;
    }
  }
}

function faultsOf({ code = "system", message, problems }: PostedError): readonly FolderFault[] {
  if (problems?.kind === "folder") return problems.list;
  return [{ code, file: "", message, subject: "folder" }];
}

function errorOf(failure: PostedError, hasDraft: boolean): Error {
  if (failure.code !== "folder-invalid") return errorFrom(failure);
  const until = hasDraft
    ? "until then all else is shown as it is, these records as they were"
    : "until then there is no draft to show";
  return errorFrom({ ...failure, hint: `fix them; ${until}` });
}
