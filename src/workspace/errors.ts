/**
 * Refused or failed for a reason that the user can mend: bad input, a state that does not allow
 * it, a machine that does not. `code` is stable; `hint` says what to do.
 */
export class SvcError extends Error {
  override readonly name: string = "SvcError";
  readonly code: string;
  readonly hint: string | undefined;
  /** Findings that belong to the refusal, all together. */
  readonly problems: readonly object[] | undefined;

  constructor(
    code: string,
    message: string,
    more: { hint?: string; problems?: readonly object[]; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.hint = more.hint;
    this.problems = more.problems;
  }
}

/** The command was called wrongly. */
export class UsageError extends SvcError {
  override readonly name = "UsageError";

  constructor(message: string, hint: string) {
    super("usage", message, { hint });
  }
}
