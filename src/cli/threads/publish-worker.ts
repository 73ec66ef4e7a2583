// The worker thread of `publish-thread.ts`: one task, by the function of its command.
import { parentPort, workerData } from "node:worker_threads";
import type { PublishResult, PublishState } from "../../page/publisher.ts";
import { SvcError } from "../../workspace/errors.ts";
import { publishCommand } from "../commands/publish.ts";
import { resumeCommand, rollbackCommand } from "../commands/versions.ts";
import type { Output } from "../output/output.ts";
import type { Results } from "../results.ts";
import type { Options } from "../table/table.ts";

/** A command with its options, which the thread runs. */
export type PublishJob =
  | { readonly command: "publish"; readonly options: Options<"publish"> }
  | { readonly command: "rollback"; readonly options: Options<"rollback"> }
  | { readonly command: "resume"; readonly options: Options<"resume"> };

export type PublishReply =
  | { readonly progress: NonNullable<PublishState["progress"]> }
  | { readonly result: PublishResult; readonly text: readonly string[] }
  | { readonly failure: PublishFailure };

export interface PublishFailure {
  readonly isExpected: boolean;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** How many problems prevent it. */
  readonly errors?: number;
}

const post = (reply: PublishReply) => parentPort?.postMessage(reply);

/** How often progress is posted at most, in milliseconds. */
const PAUSE = 100;
let postedAt = 0;

function outputOf<R extends object>(resultOf: (value: R) => PublishResult): Output<R> {
  return {
    json: true,
    isQuiet: true,
    note() {},
    file() {},
    progress(done, total, what) {
      if (Date.now() - postedAt < PAUSE) return;
      postedAt = Date.now();
      post({ progress: { done, total, what } });
    },
    result(value, text) {
      const lines = typeof text === "function" ? text() : text;
      const shown = typeof lines === "string" ? lines.split("\n") : lines;
      post({ result: resultOf(typeof value === "function" ? value() : value), text: shown });
    },
  };
}

function published(result: Results["publish"]): PublishResult {
  const { versionId, published, wouldPublish, counts, diff, removals, hold = null } = result;
  return {
    versionId,
    published: wouldPublish ?? published,
    errors: counts.errors,
    warnings: counts.warnings,
    ...(diff && {
      documents: diff.summary.documents,
      breaking: diff.summary.breaking,
      from: diff.from,
    }),
    ...(removals && { removals }),
    hold,
  };
}

const job = workerData as PublishJob;
try {
  if (job.command === "publish") await publishCommand(outputOf(published), job.options);
  else if (job.command === "resume") {
    await resumeCommand(
      outputOf<Results["resume"]>(() => ({})),
      job.options,
    );
  } else {
    const made = ({ versionId, rolledBack, hold }: Results["rollback"]) => ({
      versionId,
      published: rolledBack,
      hold,
    });
    await rollbackCommand(outputOf<Results["rollback"]>(made), job.options);
  }
} catch (error) {
  post({ failure: failureOf(error) });
}

function failureOf(error: unknown): PublishFailure {
  const { code = "defect", message = String(error) } = error as Partial<SvcError>;
  if (!(error instanceof SvcError)) return { isExpected: false, code, message };
  const { hint, problems } = error;
  const errors = (problems?.list ?? []).filter((one) => !("level" in one) || one.level === "error");
  return {
    isExpected: true,
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(errors.length > 0 && { errors: errors.length }),
  };
}
