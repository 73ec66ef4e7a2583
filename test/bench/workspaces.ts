import { join } from "node:path";
import { measure } from "./measure.ts";

/**
 * Generates a workspace folder in a child process: make-site.ts, or the program in
 * SVC_BENCH_WORKSPACE_TOOL, with the same arguments and output.
 *
 * @param isTranslated whether it has three languages and rich text.
 */
export function makeWorkspaceOf(
  experiences: number,
  folder: string,
  options: readonly string[] = [],
  isTranslated = false,
): { entries: number } {
  const tool = process.env.SVC_BENCH_WORKSPACE_TOOL ?? join(import.meta.dirname, "make-site.ts");
  const { stdout } = measure([tool, folder, "--experiences", `${experiences}`, ...options]);
  if (isTranslated) measure([join(import.meta.dirname, "translate-site.ts"), folder]);
  return JSON.parse(stdout);
}
