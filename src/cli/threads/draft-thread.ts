import { extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { FolderChange } from "../../folder/folder-change.ts";
import type { DraftAnswers, DraftQuery } from "../../server/page/draft-data.ts";
import { SvcError } from "../../workspace/errors.ts";
import { errorFrom, type PostedError, postedError } from "../../workspace/posted-error.ts";
import type { Severities } from "../../workspace/severity.ts";
import type { ComparedWith } from "../preview/compared-with.ts";

/** How a thread renders and compares what it reads. */
interface HowRead {
  readonly severity?: Severities | undefined;
  /** H30; default: the versions of the store. */
  readonly comparedWith?: ComparedWith | undefined;
  /** H40: the folder that the draft is of, and the template of links to its files. */
  readonly files?: { readonly folder: string; readonly editor: string };
}

/** What a thread reads: a store, or a workspace folder in memory, in parts; none: it has had no draft yet. */
export type ThreadSource = HowRead & (StoreSource | { readonly folder: Iterable<FolderChange> });

interface StoreSource {
  readonly store: string;
  /** Of the store's file that the server has opened. */
  readonly identity: string | undefined;
}

/** What the worker starts with; the parts of a folder are posted to it. */
export type DraftThreadData = HowRead & (StoreSource | { readonly folder: true });

export interface DraftRequest {
  readonly name: DraftQuery;
  readonly query: string;
}

/** Posted to the thread before the queries about the state after it. */
export interface DraftChange {
  readonly change: FolderChange;
}

/** A part of the folder, posted before all else. */
export interface DraftPart {
  readonly part: FolderChange;
}

export type DraftReply = { readonly body: string | undefined } | { readonly failure: PostedError };

interface Job extends DraftRequest {
  readonly resolve: (body: string | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * How long a query may run when its client is gone, in milliseconds. A thread that is terminated
 * forgets what it has rendered, so short queries are worth finishing.
 */
const FINISH_WITHIN = 1000;

/**
 * H12: answers queries about complete drafts, one after the other, in a worker thread with a
 * connection of its own, or with the folder in memory. It starts with the first query and keeps what
 * it has rendered.
 */
export class DraftThread implements Pick<DraftAnswers, "answer"> {
  readonly #source: () => ThreadSource;
  readonly #finishWithin: number;
  /** The first one is running. */
  readonly #jobs: Job[] = [];
  #worker: Worker | undefined;
  /** The changes of the folder that wait until the worker has all of it. */
  #later: FolderChange[] | undefined;
  #fed = Promise.resolve();
  #startedAt = 0;
  #giveUp: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param source is asked for whenever a thread starts. */
  constructor(source: () => ThreadSource, finishWithin = FINISH_WITHIN) {
    this.#source = source;
    this.#finishWithin = finishWithin;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Tells the thread of a change of the folder; one that starts later has it in its data. */
  change(change: FolderChange): void {
    if (this.#later !== undefined) this.#later.push(change);
    else this.#worker?.postMessage({ change } satisfies DraftChange);
  }

  answer(name: DraftQuery, query: string, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(stopped());
      const job = { name, query, resolve, reject };
      signal.addEventListener("abort", () => this.#abandon(job), { once: true });
      if (this.#jobs.push(job) === 1) void this.#runNext();
    });
  }

  /** Terminates the thread. Pending queries reject with an SvcError `preview-stopped`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#jobs.splice(0)) reject(stopped());
    await this.#terminate();
  }

  async #runNext(): Promise<void> {
    const [job] = this.#jobs;
    if (job === undefined) return;
    this.#worker ??= this.#start();
    this.#startedAt = performance.now();
    await this.#fed;
    if (job !== this.#jobs[0]) return;
    this.#worker?.postMessage({ name: job.name, query: job.query } satisfies DraftRequest);
  }

  #start(): Worker {
    const module = new URL(`./draft-worker${extname(import.meta.url)}`, import.meta.url);
    const source = this.#source();
    const workerData = "folder" in source ? { ...source, folder: true } : source;
    const worker = new Worker(module, { workerData });
    if ("folder" in source) this.#fed = this.#feed(worker, source.folder);
    worker.on("message", (reply: DraftReply) => this.#end(reply));
    worker.on("error", (error) => {
      this.#worker = undefined;
      this.#later = undefined;
      this.#end({ failure: postedError(error) });
    });
    return worker;
  }

  /** Posting 100,000 entries at once would delay other requests by 300 ms. */
  async #feed(worker: Worker, folder: Iterable<FolderChange>): Promise<void> {
    const later: FolderChange[] = [];
    this.#later = later;
    for (const part of folder) {
      worker.postMessage({ part } satisfies DraftPart);
      await setImmediate();
      if (this.#worker !== worker) return;
    }
    for (const change of later) worker.postMessage({ change } satisfies DraftChange);
    this.#later = undefined;
  }

  #end(reply: DraftReply): void {
    clearTimeout(this.#giveUp);
    const job = this.#jobs.shift();
    if ("failure" in reply) job?.reject(errorFrom(reply.failure));
    else job?.resolve(reply.body);
    void this.#runNext();
  }

  #abandon(job: Job): void {
    const place = this.#jobs.indexOf(job);
    job.reject(new Error("the client disconnected"));
    if (place > 0) this.#jobs.splice(place, 1);
    if (place !== 0) return;
    const left = this.#finishWithin - (performance.now() - this.#startedAt);
    this.#giveUp = setTimeout(
      () => {
        void this.#terminate();
        this.#end({ body: undefined });
      },
      Math.max(0, left),
    );
  }

  async #terminate(): Promise<void> {
    clearTimeout(this.#giveUp);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#later = undefined;
    worker?.removeAllListeners("message");
    worker?.removeAllListeners("error");
    await worker?.terminate();
  }
}

function stopped(): SvcError {
  return new SvcError("preview-stopped", "the preview is stopping");
}
