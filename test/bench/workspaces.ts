import { join } from "node:path";
import { measure } from "./measure.ts";

/**
 * Makes a workspace folder in a process of its own: by make-site.ts, or by the program that
 * SVC_BENCH_WORKSPACE_TOOL names, which takes the same arguments and prints the same.
 */
export function makeWorkspaceOf(
  experiences: number,
  folder: string,
  options: readonly string[] = [],
): { entries: number } {
  const tool = process.env.SVC_BENCH_WORKSPACE_TOOL ?? join(import.meta.dirname, "make-site.ts");
  const { stdout } = measure([tool, folder, "--experiences", `${experiences}`, ...options]);
  return JSON.parse(stdout);
}
