import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { FolderChange } from "../../folder/folder-change.ts";
import { type PostedChange, posted } from "../../folder/posted-change.ts";
import type { DraftAnswers, DraftQuery } from "../../page/queries.ts";
import { SvcError } from "../../workspace/errors.ts";
import { errorFrom, type PostedError, postedError } from "../../workspace/posted-error.ts";
import type { Severities } from "../../workspace/severity.ts";
import { threadEnv } from "../../workspace/thread-env.ts";
import type { ComparedWith } from "../preview/compared-with.ts";

/** How a thread renders and compares what it reads. */
interface HowRead {
  readonly severity?: Severities | undefined;
  /** H30; default: the versions of the store. */
  readonly comparedWith?: ComparedWith | undefined;
  /** H40: the folder that the draft is of, and the template of links to its files. */
  readonly files?: { readonly folder: string; readonly editor: string };
}

/** What a thread reads: a store, or a workspace folder in memory; undefined: it has had no draft yet. */
export type ThreadSource = HowRead & (StoreSource | { readonly folder: FolderChange | undefined });

interface StoreSource {
  readonly store: string;
  /** Of the store's file that the server has opened. */
  readonly identity: string | undefined;
}

/** What the worker starts with; a folder is posted to it. */
export type DraftThreadData = HowRead & (StoreSource | { readonly folder: true });

export interface DraftRequest {
  readonly name: DraftQuery;
  readonly query: string;
}

/** Posted to the thread before the queries about the state after it. */
export interface DraftChange {
  readonly change: PostedChange;
}

export type DraftReply = { readonly body: string | undefined } | { readonly failure: PostedError };

/** Posted first: the thread may be ended from now on. */
export interface DraftThreadReady {
  readonly isReady: true;
}

interface Job extends DraftRequest {
  readonly resolve: (body: string | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * How long a query may run when its client is gone, in milliseconds. A thread that is terminated
 * forgets what it has read and rendered, of 100,000 entries the work of seconds, and its successor
 * gets all of them from the server.
 */
const FINISH_WITHIN = 60_000;

/**
 * H12: answers queries about complete drafts, one after the other, in a worker thread with a
 * connection of its own, or with the folder in memory. It starts with the first query, if not
 * before, and keeps what it has rendered.
 */
export class DraftThread implements Pick<DraftAnswers, "answer"> {
  readonly #source: () => ThreadSource;
  readonly #finishWithin: number;
  /** The first one is running. */
  readonly #jobs: Job[] = [];
  #worker: Worker | undefined;
  #ready: Promise<void> = Promise.resolve();
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

  /** So that no query waits for that. */
  start(): void {
    this.#worker ??= this.#start();
  }

  /** Tells the thread of a change of the folder; one that starts later has it in its data. */
  change(change: PostedChange): void {
    this.#worker?.postMessage({ change } satisfies DraftChange);
  }

  answer(name: DraftQuery, query: string, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(stopped());
      const job = { name, query, resolve, reject };
      signal.addEventListener("abort", () => this.#abandon(job), { once: true });
      if (this.#jobs.push(job) === 1) this.#runNext();
    });
  }

  /** Terminates the thread. Pending queries reject with an SvcError `preview-stopped`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#jobs.splice(0)) reject(stopped());
    await this.#terminate();
  }

  #runNext(): void {
    const [job] = this.#jobs;
    if (job === undefined) return;
    this.start();
    this.#startedAt = performance.now();
    this.#worker?.postMessage({ name: job.name, query: job.query } satisfies DraftRequest);
  }

  #start(): Worker {
    const module = new URL(`./draft-worker${extname(import.meta.url)}`, import.meta.url);
    const source = this.#source();
    const workerData = "folder" in source ? { ...source, folder: true } : source;
    const worker = new Worker(module, { workerData, env: threadEnv() });
    if ("folder" in source && source.folder !== undefined) {
      worker.postMessage({ change: posted(source.folder) } satisfies DraftChange);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready = promise;
    worker.on("message", (reply: DraftReply | DraftThreadReady) => {
      if ("isReady" in reply) resolve();
      else if (this.#worker === worker) this.#end(reply);
    });
    worker.on("error", (error) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#end({ failure: postedError(error) });
    });
    worker.once("exit", () => resolve());
    return worker;
  }

  #end(reply: DraftReply): void {
    clearTimeout(this.#giveUp);
    const job = this.#jobs.shift();
    if ("failure" in reply) job?.reject(errorFrom(reply.failure));
    else job?.resolve(reply.body);
    this.#runNext();
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
    // Ended while it loads SQLite, a thread ends the process: napi_get_last_error_info.
    await this.#ready;
    await worker?.terminate();
  }
}

function stopped(): SvcError {
  return new SvcError("preview-stopped", "the preview is stopping");
}
