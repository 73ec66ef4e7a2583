import { getSystemErrorMap } from "node:util";
import { ERROR_STATUS } from "../../workspace/error-codes.ts";
import { type ErrorProblems, SvcError } from "../../workspace/errors.ts";
import type { Failure } from "../results.ts";
import { countsJson, problemsJson } from "./findings.ts";
import { errorLines } from "./formats.ts";
import { printJson, printLines, styled } from "./print.ts";

interface ErrorReport {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: ErrorProblems | undefined;
}

/** Prints an error: on stderr, or with `json` as an object on stdout. Returns the exit status. */
export function reportError(error: unknown, options: { json: boolean; debug: boolean }): number {
  const { status, code, message, hint, problems } = errorReport(error);
  if (options.json) {
    const listed = problems && problemsJson(problems);
    const counts = listed && countsJson(listed);
    const failure: Failure = { error: { code, message, hint, problems: listed, counts } };
    printJson(failure);
  } else {
    const listed = problems === undefined ? [] : errorLines(problems, process.stderr);
    const said = `${styled("red", "error:", process.stderr)} ${message}`;
    const hints = hint === undefined ? [] : [`hint: ${hint}`];
    printLines(process.stderr, [...listed, said, ...hints]);
  }
  if (options.debug) {
    printLines(process.stderr, String((error as Error).stack ?? error).split("\n"));
  }
  return status;
}

function errorReport(error: unknown): ErrorReport {
  if (error instanceof SvcError) {
    const { code, message, hint, problems } = error;
    return { status: ERROR_STATUS[code], code, message, hint, problems };
  }
  const { code, errno, message, path, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^E(?:[A-Z0-9]+|RR_FS_[A-Z0-9_]+)$/.test(code)) {
    const hint = "check the path, its permissions, and the free disk space";
    const [, reason] = getSystemErrorMap().get(errno ?? 0) ?? [];
    const says = path && reason ? `cannot ${syscall} "${path}": ${reason}` : message;
    return {
      status: ERROR_STATUS.system,
      code: "system",
      message: says,
      hint,
      problems: undefined,
    };
  }
  return {
    status: 70,
    code: "defect",
    message: `internal error: ${message ?? error}`,
    hint: `please report this bug with the command, its output with --debug, and Node.js ${process.version}`,
    problems: undefined,
  };
}
