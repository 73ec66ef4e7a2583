import { styleText } from "node:util";
import type { FileCounts } from "../../publish/apply-plan.ts";
import type { Counts } from "../../workspace/records.ts";

/** How a command prints: results to stdout; progress, warnings and errors to stderr. */
export interface Output {
  readonly json: boolean;
  /** Whether remarks are left out, so that they need not be made. */
  readonly isQuiet: boolean;
  /** The result: with `--json` the value on one line, else the text. */
  result(value: object, text: string): void;
  /** A remark beside the result; left out by `--quiet` and `--json`. */
  note(text: string): void;
  /** How far long work is: on a terminal only, left out by `--quiet` and `--json`. */
  progress(done: number, total: number, what: string): void;
}

export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function createOutput({ json = false, quiet = false }: OutputOptions): Output {
  const progress = json || quiet || !process.stderr.isTTY ? undefined : new ProgressLine();
  const isQuiet = json || quiet;
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

/** Milliseconds between two states of the progress line. */
const REDRAW = 80;
const WIDTH = 24;

/** One line of the terminal, drawn over again. */
class ProgressLine {
  #drawnAt = 0;
  #drawn = false;

  show(done: number, total: number, what: string): void {
    const now = Date.now();
    if (done < total && now - this.#drawnAt < REDRAW) return;
    // Work that is done before it could be seen is not shown at all.
    if (done >= total && !this.#drawn) return;
    this.#drawnAt = now;
    this.#drawn = true;
    const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
    const bar = `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)}`;
    process.stderr.write(`\r\u001b[K${bar} ${grouped(done)}/${grouped(total)} ${what}`);
    if (done >= total) this.clear();
  }

  clear(): void {
    if (this.#drawn) process.stderr.write("\r\u001b[K");
    this.#drawn = false;
  }
}

type Style = Parameters<typeof styleText>[0];

/** Coloured where the stream is a terminal and `NO_COLOR` does not say otherwise. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream): string {
  return styleText(style, text, { stream });
}

/** "1 entry", "2 entries". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/**
 * A whole number with its digits in groups of three: "1,000". (`toLocaleString` gives the same, but
 * its first call loads the data of a locale: 15 ms, half of what Node itself takes to start.)
 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** "2 models, 1 block, …" */
export function countsText(counts: Counts): string {
  return Object.entries(counts)
    .map(([kind, count]) => {
      const one = kind === "entries" ? "entry" : kind.slice(0, -1);
      return counted(count, one, kind);
    })
    .join(", ");
}

/** "3 files written, 0 unchanged, 0 removed" */
export function filesText({ written, unchanged, removed }: FileCounts): string {
  return `${counted(written, "file")} written, ${unchanged} unchanged, ${removed} removed`;
}
