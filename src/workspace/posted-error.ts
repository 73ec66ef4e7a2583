import type { ErrorCode } from "./error-codes.ts";
import { type ErrorProblems, SvcError } from "./errors.ts";

/** An error in a form that can be posted between threads. */
export interface PostedError {
  /** Whether it is an SvcError. */
  readonly isExpected: boolean;
  readonly code: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: ErrorProblems | undefined;
}

/** @param error may be what a worker that has died leaves behind: it has the name, but not the class. */
export function postedError(error: unknown): PostedError {
  const { name, code, message = String(error), hint, problems } = error as Partial<SvcError>;
  const isExpected = error instanceof SvcError || name === "SvcError";
  return { isExpected, code, message, hint, problems };
}

/** The error again. */
export function errorFrom({ isExpected, code, message, hint, problems }: PostedError): Error {
  if (!isExpected) return Object.assign(new Error(message), { code });
  return new SvcError((code ?? "system") as ErrorCode, message, {
    ...(hint !== undefined && { hint }),
    ...(problems && { problems }),
  });
}
