import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { countsText, type Output } from "../cli/output/output.ts";
import { tellFailure } from "../cli/output/report-error.ts";
import type { FolderFault } from "../server/live.ts";
import { SvcError } from "../workspace/errors.ts";
import type { ImportFailure, ImportOutcome, ImportTask, KeepTo } from "./import-thread.ts";

/** V8 would take 100 MB for what an import leaves behind at once; the same import is as fast with 3. */
const LIMITS = { maxYoungGenerationSizeMb: 3 };

/**
 * A workspace folder that is imported now and at every change, in a thread of its own: requests
 * are answered meanwhile. Faults are told on the terminal, once a change.
 */
export class FollowedFolder {
  /** Of the last try to import. */
  faults: readonly FolderFault[] = [];
  /** Of the last import; undefined before the first. */
  workspaceId: string | undefined;
  readonly #worker: Worker;
  readonly #output: Output;
  #told = "";
  #onTry: (faults: readonly FolderFault[]) => boolean = () => true;

  private constructor(task: ImportTask, output: Output) {
    this.#output = output;
    const module = new URL(`./import-thread${extname(import.meta.filename)}`, import.meta.url);
    this.#worker = new Worker(module, { workerData: task, resourceLimits: LIMITS });
  }

  /**
   * Imports the folder for the first time. Faults of its files do not keep it from being followed.
   *
   * @throws what else keeps the folder from being imported: it is not there, or the store fails.
   */
  static async start(task: ImportTask, output: Output): Promise<FollowedFolder> {
    const followed = new FollowedFolder(task, output);
    const worker = followed.#worker;
    const first = await new Promise<ImportOutcome>((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
    });
    worker.removeAllListeners("error");
    if ("failure" in first && first.failure.code !== "folder-invalid") {
      await followed.close();
      throw errorOf(first.failure, first.hasDraft);
    }
    followed.#hear(first);
    worker.on("message", (outcome: ImportOutcome) => followed.#hear(outcome));
    worker.on("error", (error) => followed.#hear({ failure: failureOf(error), hasDraft: false }));
    return followed;
  }

  /**
   * Calls the listener after each further try, with the faults that it found. When that finds the
   * store unfit and returns false, it is the one to tell why.
   */
  onTry(listener: (faults: readonly FolderFault[]) => boolean): void {
    this.#onTry = listener;
  }

  /** From now on imports into this file only: into none that takes its place, and a new one is not made. */
  keepTo(storeIdentity: string | undefined): void {
    this.#worker.postMessage({ storeIdentity } satisfies KeepTo);
  }

  /** Ends the thread. An import under way is undone. */
  async close(): Promise<void> {
    this.#worker.removeAllListeners("message");
    await this.#worker.terminate();
  }

  #hear(outcome: ImportOutcome): void {
    this.faults = "failure" in outcome ? faultsOf(outcome.failure) : [];
    if ("workspaceId" in outcome) this.workspaceId = outcome.workspaceId;
    const isStoreFit = this.#onTry(this.faults);
    const isNew = JSON.stringify(outcome) !== this.#told;
    if ("failure" in outcome) {
      if (!isStoreFit || !isNew) return;
      const { failure, hasDraft } = outcome;
      tellFailure(errorOf(failure, hasDraft), { json: this.#output.json, debug: false });
    } else {
      const { workspaceId, counts, notices } = outcome;
      if (isNew) for (const text of notices) this.#output.note(`warning: ${text}`);
      this.#output.note(`imported "${workspaceId}": ${countsText(counts)}`);
    }
    this.#told = JSON.stringify(outcome);
  }
}

function faultsOf({ message, problems }: ImportFailure): readonly FolderFault[] {
  return (problems as readonly FolderFault[] | undefined) ?? [{ file: "", message }];
}

function errorOf({ code, message, hint, problems }: ImportFailure, hasDraft: boolean): Error {
  // What the system says has a code, but no hint.
  if (code === undefined || hint === undefined) return Object.assign(new Error(message), { code });
  const until = hasDraft ? "the last good draft is served" : "there is no draft to serve";
  const again = code === "folder-invalid" ? `mend them; until then ${until}` : hint;
  return new SvcError(code, message, { hint: again, ...(problems && { problems }) });
}

function failureOf(error: unknown): ImportFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return { code, message, hint: undefined, problems: undefined };
}
