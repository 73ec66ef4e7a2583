import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { DraftOwner } from "../../server/draft-owner.ts";
import type { LiveState } from "../../server/live.ts";
import { SvcError } from "../../workspace/errors.ts";
import { errorFrom, type PostedError, postedError } from "../../workspace/posted-error.ts";
import type { Severities } from "../../workspace/severity.ts";
import { threadEnv } from "../../workspace/thread-env.ts";
import type { ComparedWith } from "../preview/compared-with.ts";

/** V8 would let the garbage of an update grow to 100 MB; 8 MB are as fast. */
const LIMITS = { maxYoungGenerationSizeMb: 8 };

/** What the thread owns, and how. */
export type OwnedSource = {
  readonly severity?: Severities | undefined;
  /** H30. */
  readonly comparedWith: ComparedWith;
} & (
  | { readonly store: string }
  | {
      readonly folder: string;
      /** Paths whose changes are ignored. */
      readonly except: readonly string[];
      /** H40: the template of links to its files. */
      readonly editor: string;
      /** H42: whether the page changes its files. */
      readonly isEdited: boolean;
    }
);

/** What the thread does: it opens the store or reads the folder first, and is the owner of the drafts then. */
export interface ThreadOwner extends DraftOwner {
  /** @throws SvcError or a system error where there is none. */
  open(): Promise<void>;
  /** Something else may be published. */
  touch(): Promise<void>;
}

/** What the thread tells without being asked. */
export interface OwnerListener {
  live(state: LiveState): void;
  note(text: string | readonly string[]): void;
  failed(error: PostedError): void;
  /** The folder was read, and has no faults. */
  updated(workspaceId: string): void;
}

type Name = keyof ThreadOwner;

/** A call of a method, or the end of one whose result nobody waits for any more. */
export type Call =
  | {
      readonly id: number;
      readonly name: Name;
      readonly args: unknown[];
      /** The place of an AbortSignal among the arguments; -1: there is none. */
      readonly signalAt: number;
    }
  | { readonly aborted: number };

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: PostedError }
  | { readonly told: keyof OwnerListener; readonly args: readonly [never] }
  /** Posted first: the thread may be ended from now on. */
  | { readonly isReady: true };

interface Pending {
  readonly name: Name;
  readonly resolve: (result: never) => void;
  readonly reject: (reason: unknown) => void;
}

/** The owner of the drafts in a thread of its own (H12), as this thread sees it. */
export class DraftThread {
  readonly owner: ThreadOwner;
  /** H12a: rejects when the thread ends by itself, with the reason. */
  readonly lost: Promise<never>;
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  readonly #actions = new Set<Promise<never>>();
  #calls = 0;
  #isClosed = false;

  constructor(source: OwnedSource, listener: OwnerListener) {
    const module = new URL(`./draft-worker${extname(import.meta.url)}`, import.meta.url);
    const options = { workerData: source, env: threadEnv(), resourceLimits: LIMITS };
    const worker = new Worker(module, options);
    const { promise, resolve } = Promise.withResolvers<void>();
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {});
    this.lost = lost;
    this.#worker = worker;
    this.#ready = promise;
    worker.on("message", (reply: Reply) => {
      if ("isReady" in reply) resolve();
      else if ("told" in reply) listener[reply.told](...reply.args);
      else if ("failure" in reply) this.#take(reply.id)?.reject(errorFrom(reply.failure));
      else this.#take(reply.id)?.resolve(reply.result as never);
    });
    worker.on("error", (error) => {
      reject(lostBecause(error));
      this.#end();
    });
    worker.once("exit", () => resolve());
    this.owner = new Proxy({} as ThreadOwner, {
      get:
        (_, name) =>
        (...args: readonly unknown[]) =>
          this.#call(name as Name, args),
    });
  }

  /** Ends the thread after the actions that it does. All else that was asked rejects with `preview-stopped`. */
  async close(): Promise<void> {
    this.#end(({ name }) => name !== "act");
    await Promise.allSettled(this.#actions);
    // Ended while it loads SQLite, a thread ends the process: napi_get_last_error_info.
    await this.#ready;
    await this.#worker.terminate();
  }

  #call(name: Name, args: readonly unknown[]): Promise<never> {
    this.#calls += 1;
    const id = this.#calls;
    const called = new Promise<never>((resolve, reject) => {
      if (this.#isClosed) return reject(stopping());
      const signalAt = args.findIndex((arg) => arg instanceof AbortSignal);
      const signal = args[signalAt] as AbortSignal | undefined;
      signal?.addEventListener(
        "abort",
        () => {
          this.#take(id)?.reject(signal.reason);
          this.#worker.postMessage({ aborted: id } satisfies Call);
        },
        { once: true },
      );
      this.#pending.set(id, { name, resolve, reject });
      const posted = signal === undefined ? args : args.with(signalAt, undefined);
      this.#worker.postMessage({ id, name, args: [...posted], signalAt } satisfies Call);
    });
    if (name === "act") {
      this.#actions.add(called);
      called.catch(() => {}).finally(() => this.#actions.delete(called));
    }
    return called;
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #end(isGivenUp: (pending: Pending) => boolean = () => true): void {
    this.#isClosed = true;
    for (const [id, pending] of this.#pending) {
      if (isGivenUp(pending)) this.#take(id)?.reject(stopping());
    }
  }
}

function stopping(): SvcError {
  return new SvcError("preview-stopped", "the preview is stopping");
}

function lostBecause(error: unknown): Error {
  const posted = postedError(error);
  if (posted.code !== "ERR_WORKER_OUT_OF_MEMORY") return errorFrom(posted);
  return new SvcError("memory-exhausted", "the draft needs more memory than Node.js gives it", {
    hint: 'start it again with more, in MB: NODE_OPTIONS="--max-old-space-size=8192"',
  });
}
