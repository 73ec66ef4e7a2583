import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Measured, measure } from "./measure.ts";

/** The path of Eleventy's program; undefined without SVC_BENCH_ELEVENTY. */
export function findEleventy(): string | undefined {
  const folder = process.env.SVC_BENCH_ELEVENTY;
  if (folder === undefined) return undefined;
  const program = join(folder, "node_modules/@11ty/eleventy/cmd.cjs");
  if (!existsSync(program)) throw new Error(`there is no "${program}" (SVC_BENCH_ELEVENTY)`);
  return program;
}

/** Builds the site in eleventy/, which has the same output as the bare loop. */
export function measureEleventy(
  program: string,
  paths: { store: string; out: string; compiled: string },
): Measured {
  const env = { SVC_BENCH_STORE: paths.store, NODE_COMPILE_CACHE: paths.compiled };
  const cwd = join(import.meta.dirname, "eleventy");
  return measure([program, `--output=${paths.out}`, "--quiet"], { cwd, env });
}
