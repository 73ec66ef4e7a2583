import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { SvcError } from "../../src/workspace/errors.ts";
import { statusOf } from "../support/json-output.ts";
import { PROGRAM } from "../support/program.ts";
import "../support/random-runs.ts";

/** The number of inputs per fuzz test; .ci/run uses fewer. */
const RUNS = Math.max(1, Number(process.env.SVC_FUZZ_RUNS ?? 1000));

/** A share of `RUNS`, for inputs that take longer (or shorter) than most. */
export function runs(share = 1): number {
  return Math.max(1, Math.round(RUNS * share));
}

/** The longest time of the processor for one input, in milliseconds. */
export const TIME_LIMIT = 5000;

/** A test timeout for this many inputs on a busy machine, in milliseconds. */
export function timeFor(inputs: number): { timeout: number } {
  return { timeout: 60_000 + inputs * 1000 };
}

export type Outcome<T> = { readonly value: T } | { readonly refusal: SvcError };

/**
 * Runs work that may throw an SvcError with one of these codes and a hint. Any other error is a
 * bug (exit status 70 of the program), and so is exceeding the time limit.
 */
export function outcomeOf<T>(codes: readonly string[], work: () => T): Outcome<T> {
  const startedAt = process.cpuUsage();
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    expect(codes, error.message).toContain(error.code);
    expect(error.hint, error.message).toEqual(expect.any(String));
    return { refusal: error };
  } finally {
    expect(process.cpuUsage(startedAt).user / 1000, "milliseconds").toBeLessThan(TIME_LIMIT);
  }
}

/** Runs a command with `--json` as a child process; returns what it printed: its result or its error. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into results freely
export function commandOutcome(folder: string, ...args: readonly string[]): any {
  const { PATH = "", HOME = "" } = process.env;
  const ran = spawnSync(process.execPath, [PROGRAM, ...args, "--json"], {
    cwd: folder,
    env: { PATH, HOME },
    encoding: "utf8",
    input: "",
    timeout: 12 * TIME_LIMIT,
    killSignal: "SIGKILL",
    maxBuffer: 256 * 1024 * 1024,
  });
  const output = `svc ${args.join(" ")}: ${ran.stdout.slice(0, 2000)}${ran.stderr.slice(0, 2000)}`;
  expect(ran.signal, output).toBeNull();
  expect([0, 1, 3, 4], output).toContain(ran.status);
  expect(ran.stderr, output).toBe("");
  expect(ran.stdout.endsWith("}\n") && ran.stdout.indexOf("\n") === ran.stdout.length - 1).toBe(
    true,
  );
  expect(ran.stdout, output).not.toMatch(/\\n +at |node:internal/);
  const printed = JSON.parse(ran.stdout);
  if (printed.error !== undefined) expect(ran.status, output).toBe(statusOf(printed.error));
  return printed;
}
