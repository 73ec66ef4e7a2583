import { grouped } from "../../workspace/listed.ts";
import { printable } from "../../workspace/printable.ts";
import { printFile, printJson, printLines } from "./print.ts";

/** How a command prints beside its results: progress, warnings and remarks, on stderr. */
export interface Remarks {
  readonly json: boolean;
  /** Whether notes are dropped, so that callers need not build them. */
  readonly isQuiet: boolean;
  /** Prints lines to stderr; dropped with `--quiet` and `--json`. */
  readonly note: (text: string | readonly string[]) => void;
  /** Shows progress, on a terminal only; dropped with `--quiet` and `--json`. */
  readonly progress: (done: number, total: number, what: string) => void;
}

/** How a command prints, whose results are of this type. */
export interface Output<Result> extends Remarks {
  /** Prints the result to stdout: with `--json` the value on one line, else the text or lines. */
  readonly result: (value: Lazy<Result>, text: Lazy<string | readonly string[]>) => void;
  /** Prints a result that is the text of a file, unchanged unless on a terminal. */
  readonly file: (value: Lazy<Result>, text: string) => void;
}

/** A function where a value takes time to make that is not always printed. */
type Lazy<T> = T | (() => T);

export function createOutput({
  json = false,
  quiet = false,
}: {
  readonly json?: boolean;
  readonly quiet?: boolean;
}): Output<object> {
  const isQuiet = json || quiet;
  const progress = isQuiet || !process.stderr.isTTY ? undefined : new ProgressLine();
  return {
    json,
    isQuiet,
    result(value, text) {
      progress?.clear();
      if (json) printJson(made(value));
      else printLines(process.stdout, linesOf(made(text)));
    },
    file(value, text) {
      if (json) printJson(made(value));
      else printFile(text);
    },
    note(text) {
      progress?.clear();
      if (!isQuiet) printLines(process.stderr, linesOf(text));
    },
    progress(done, total, what) {
      progress?.show(done, total, what);
    },
  };
}

function linesOf(text: string | readonly string[]): readonly string[] {
  return typeof text === "string" ? text.split("\n") : text;
}

function made<T>(value: Lazy<T>): T {
  return typeof value === "function" ? (value as () => T)() : value;
}

/** The shortest time between two redraws, in milliseconds. */
const REDRAW = 80;
const WIDTH = 24;

class ProgressLine {
  #drawnAt = 0;
  #drawn = false;

  show(done: number, total: number, what: string): void {
    const now = Date.now();
    if (done < total && now - this.#drawnAt < REDRAW) return;
    // Work that is done before the first redraw shows no bar.
    if (done >= total && !this.#drawn) return;
    this.#drawnAt = now;
    this.#drawn = true;
    const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
    const bar = `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)}`;
    process.stderr.write(`\r\u001b[K${bar} ${grouped(done)}/${grouped(total)} ${printable(what)}`);
    if (done >= total) this.clear();
  }

  clear(): void {
    if (this.#drawn) process.stderr.write("\r\u001b[K");
    this.#drawn = false;
  }
}
