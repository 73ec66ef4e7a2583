import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { isLoopback } from "../../page/actions.ts";
import type { Publisher, PublishState, PublishTask } from "../../page/publisher.ts";
import {
  DEFAULT_KEEP,
  DEFAULT_MAX_SIZE,
  DEFAULT_REMOVAL_LIMIT,
} from "../../publish/publish-limits.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { threadEnv } from "../../workspace/thread-env.ts";
import type { Remarks } from "../output/output.ts";
import type { Options, SharedOptions } from "../table/table.ts";
import type { PublishFailure, PublishJob, PublishReply } from "./publish-worker.ts";

/** What is published, where to, and with which options of the config file. */
export type PublishedOptions = Pick<
  SharedOptions,
  "store" | "storeFrom" | "severity" | "strict"
> & {
  readonly out: string;
  /** Undefined: the workspaces of the store. */
  readonly folder?: string | undefined;
};

/** H33: @throws UsageError unless only this machine can reach the server. */
export function assertLoopback(option: string, host: string): void {
  if (isLoopback(host)) return;
  throw new UsageError(
    `${option} is refused with --host ${host}, which others can reach`,
    "leave --host out: the page then listens on 127.0.0.1",
  );
}

/** H33: runs one command at a time, each in a thread of its own. */
export class Publishing implements Publisher {
  readonly #options: PublishedOptions;
  readonly #remarks: Pick<Remarks, "note">;
  readonly #ended: () => void;
  #state: PublishState | undefined;

  /** @param ended called after each task that may have changed what is published */
  constructor(options: PublishedOptions, remarks: Pick<Remarks, "note">, ended: () => void) {
    this.#options = options;
    this.#remarks = remarks;
    this.#ended = ended;
  }

  get state(): PublishState | undefined {
    return this.#state;
  }

  start(workspace: string, task: PublishTask): PublishState {
    if (this.#state?.isRunning) throw busy();
    const id = (this.#state?.id ?? 0) + 1;
    this.#state = { id, workspace, task, isRunning: true };
    const module = new URL(`./publish-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(module, { workerData: this.#job(workspace, task), env: threadEnv() });
    worker.on("message", (reply: PublishReply) => {
      if ("progress" in reply) this.#update({ progress: reply.progress });
      else if ("failure" in reply) this.#fail(reply.failure);
      else {
        this.#update({ result: reply.result });
        if (task.what !== "plan") this.#remarks.note(reply.text);
      }
    });
    worker.on("error", ({ message }) => this.#fail({ isExpected: false, code: "defect", message }));
    worker.on("exit", () => {
      this.#update({ isRunning: false });
      if (task.what !== "plan") this.#ended();
    });
    return this.#state;
  }

  #update(more: Partial<PublishState>): void {
    if (this.#state !== undefined) this.#state = { ...this.#state, ...more };
  }

  #fail({ isExpected, ...failure }: PublishFailure): void {
    if (!isExpected) this.#remarks.note(`error: publishing failed: ${failure.message}`);
    const message = isExpected ? failure.message : "svc has failed; its own output says why";
    this.#update({ failure: { ...failure, message } });
  }

  #job(workspace: string, task: PublishTask): PublishJob {
    const { folder, strict = false, ...given } = this.#options;
    const ofStore = { ...given, workspace };
    if (task.what === "resume") return { command: "resume", options: ofStore };
    if (task.what === "rollback") {
      const { versionId, reason } = task;
      const options = { ...ofStore, versionId, ...(reason !== undefined && { reason }) };
      return { command: "rollback", options };
    }
    const options: Options<"publish"> = {
      ...(folder === undefined ? ofStore : { ...given, folder }),
      strict,
      dryRun: task.what === "plan",
      keep: DEFAULT_KEEP,
      maxRemovals: DEFAULT_REMOVAL_LIMIT,
      maxSize: DEFAULT_MAX_SIZE,
      format: "text",
    };
    return { command: "publish", options };
  }
}

function busy(): SvcError {
  return new SvcError("out-locked", "another publish is running on this page", {
    hint: "wait until it has ended",
  });
}
