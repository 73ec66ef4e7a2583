import { SvcError, UsageError } from "../../workspace/errors.ts";
import { styled } from "./output.ts";
import { printable } from "./printable.ts";
import { problemLines } from "./problem-lines.ts";

interface Told {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: readonly object[] | undefined;
}

/** Prints why a command failed, and returns the exit status. */
export function tellFailure(error: unknown, options: { json: boolean; debug: boolean }): number {
  const { status, code, message, hint, problems } = meaning(error);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ error: { code, message, hint, problems } })}\n`);
  } else {
    for (const line of problemLines(problems ?? [], process.stderr)) {
      process.stderr.write(`${line}\n`);
    }
    process.stderr.write(`${styled("red", "error:", process.stderr)} ${printable(message)}\n`);
    if (hint !== undefined) process.stderr.write(`hint: ${printable(hint)}\n`);
  }
  if (options.debug) process.stderr.write(`${(error as Error).stack ?? error}\n`);
  return status;
}

/** Exit status: 1 refused or failed; 2 wrong usage; 70 a defect of ours. */
function meaning(error: unknown): Told {
  if (error instanceof SvcError) {
    const { code, message, hint, problems } = error;
    return { status: error instanceof UsageError ? 2 : 1, code, message, hint, problems };
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^E(?:[A-Z0-9]+|RR_FS_[A-Z0-9_]+)$/.test(code)) {
    const hint = "check the path, the disk, and who may read and write there";
    return { status: 1, code: "system", message, hint, problems: undefined };
  }
  return {
    status: 70,
    code: "defect",
    message: `a defect of svc: ${message ?? error}`,
    hint: `please report it with the command, the output of --debug, and Node.js ${process.version}`,
    problems: undefined,
  };
}
