import { ProgressLine } from "./progress-line.ts";

/** How a command prints: results to stdout; progress, warnings and errors to stderr. */
export interface Output {
  readonly json: boolean;
  /** Whether notes are dropped, so that callers need not build them. */
  readonly isQuiet: boolean;
  /** Prints the result: with `--json` the value on one line, else the text. */
  result(value: object, text: string): void;
  /** Prints a line to stderr; dropped with `--quiet` and `--json`. */
  note(text: string): void;
  /** Shows progress, on a terminal only; dropped with `--quiet` and `--json`. */
  progress(done: number, total: number, what: string): void;
}

export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function createOutput({ json = false, quiet = false }: OutputOptions): Output {
  const isQuiet = json || quiet;
  const progress = isQuiet || !process.stderr.isTTY ? undefined : new ProgressLine();
  return {
    json,
    isQuiet,
    result(value, text) {
      progress?.clear();
      process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
    },
    note(text) {
      progress?.clear();
      if (!isQuiet) process.stderr.write(`${text}\n`);
    },
    progress(done, total, what) {
      progress?.show(done, total, what);
    },
  };
}
