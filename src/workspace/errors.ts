import type { ErrorCode } from "./error-codes.ts";
import type { PlaceOf, Problem } from "./problem.ts";

/** A fault of a workspace folder. */
export interface FolderFault {
  /** Stable, such as `record-invalid`. */
  readonly code: string;
  /** Relative to the folder, with `/`; empty when the fault is not in a file. */
  readonly file: string;
  /** From 1; present where known. */
  readonly line?: number;
  readonly column?: number;
  /** The record that has the fault, where its id is known: `{ kind: "entry", id: "home" }`. */
  readonly record?: { readonly kind: string; readonly id: string };
  readonly message: string;
  /** W4a: the other file of two with the same id or key; as `file`. */
  readonly other?: string;
  /** When the fault is not in a file: what cannot be used. */
  readonly subject?: "folder" | "store";
}

/** A published file that is not as its manifest says. */
export interface FileDifference {
  /** Below `out/`. */
  readonly path: string;
  readonly reason: "missing" | "changed" | "unexpected" | "unreadable";
  /** The reason in full. */
  readonly detail: string;
}

/** An object of a bucket that differs from what was published, or that cannot be deleted. */
export interface ObjectFault {
  readonly code: "object-different" | "object-unexpected" | "object-not-deleted";
  readonly key: string;
  readonly reason: string;
}

/** What an error lists beside its message. */
export type ErrorProblems =
  | {
      readonly kind: "draft";
      readonly list: readonly Problem[];
      /** Where a problem is in the files of the workspace folder that was read. */
      readonly placeOf?: PlaceOf | undefined;
    }
  | {
      readonly kind: "folder";
      readonly list: readonly FolderFault[];
      /** The folder that the files are in, as it was named; undefined: they are in none. */
      readonly folder?: string;
    }
  | { readonly kind: "files"; readonly list: readonly FileDifference[] }
  | { readonly kind: "objects"; readonly list: readonly ObjectFault[] };

/**
 * Refused or failed for a reason that the user can fix: bad input, a wrong state, a failing
 * machine. `code` is stable; `hint` says what to do.
 */
export class SvcError extends Error {
  override readonly name: string = "SvcError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly problems: ErrorProblems | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { hint?: string; problems?: ErrorProblems; cause?: unknown } = {},
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

/** How much a command would remove, and how much it may. */
export interface Removals {
  readonly count: number;
  readonly limit: number;
}

/**
 * Guards against a wrong folder and a wrong target.
 *
 * @param what such as `4 objects`.
 * @param option the option that raises the limit.
 * @throws SvcError with this code.
 */
export function assertRemovalLimit(
  { count, limit }: Removals,
  what: string,
  where: string,
  { code, option }: { code: ErrorCode; option: string },
): void {
  if (count <= limit) return;
  throw new SvcError(code, `${what} would be removed from ${where}; the limit is ${limit}`, {
    hint: `--dry-run lists them; ${option} ${count} allows them`,
  });
}
