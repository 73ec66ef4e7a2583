import type { ProblemLevel } from "../workspace/problem.ts";

export interface Counts {
  readonly errors: number;
  readonly warnings: number;
}

export function problemCounts(problems: readonly { readonly level: ProblemLevel }[]): Counts {
  const errors = problems.filter(({ level }) => level === "error").length;
  return { errors, warnings: problems.length - errors };
}
