import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { SvcError } from "../../src/workspace/errors.ts";
import { PROGRAM } from "../support/program.ts";

/** How many inputs a fuzz test tries; .ci/run tries fewer. */
const RUNS = Math.max(1, Number(process.env.SVC_FUZZ_RUNS ?? 1000));

/** A share of `RUNS`, for inputs that are dearer (or cheaper) than most. */
export function runs(share = 1): number {
  return Math.max(1, Math.round(RUNS * share));
}

/** For `fc.assert`: SVC_FUZZ_SEED runs again what a failure has told. */
export function fuzzed(numRuns: number) {
  const { SVC_FUZZ_SEED: seed } = process.env;
  return { numRuns, ...(seed !== undefined && { seed: Number(seed) }) };
}

/** No input may keep the program longer, in milliseconds. */
export const PATIENCE = 5000;

/** Enough for that many inputs on a busy machine, in milliseconds. */
export function timeFor(inputs: number): { timeout: number } {
  return { timeout: 60_000 + inputs * 1000 };
}

export type Outcome<T> = { readonly value: T } | { readonly refusal: SvcError };

/**
 * Runs work that may be refused, with one of these codes, and with a hint. Anything else that is
 * thrown is a defect (exit status 70 of the program), and so is work without an end.
 */
export function outcomeOf<T>(codes: readonly string[], work: () => T): Outcome<T> {
  const begun = performance.now();
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    expect(codes, error.message).toContain(error.code);
    expect(error.hint, error.message).toEqual(expect.any(String));
    return { refusal: error };
  } finally {
    expect(performance.now() - begun, "milliseconds").toBeLessThan(PATIENCE);
  }
}

/** Runs a command with `--json` as a process of its own: what it printed, or its `error`. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into results freely
export function commandOutcome(folder: string, ...args: readonly string[]): any {
  const { PATH = "", HOME = "" } = process.env;
  const ran = spawnSync(process.execPath, [PROGRAM, ...args, "--json"], {
    ...{ cwd: folder, env: { PATH, HOME }, encoding: "utf8", input: "" },
    ...{ timeout: 4 * PATIENCE, killSignal: "SIGKILL", maxBuffer: 256 * 1024 * 1024 },
  });
  const told = `svc ${args.join(" ")}: ${ran.stdout.slice(0, 2000)}${ran.stderr.slice(0, 2000)}`;
  expect(ran.signal, told).toBeNull();
  expect([0, 1], told).toContain(ran.status);
  expect(ran.stderr, told).toBe("");
  expect(ran.stdout.endsWith("}\n") && ran.stdout.indexOf("\n") === ran.stdout.length - 1).toBe(
    true,
  );
  expect(ran.stdout, told).not.toMatch(/\\n +at |node:internal/);
  return JSON.parse(ran.stdout);
}
