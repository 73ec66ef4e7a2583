import { inProblemOrder, type Problem, type ProblemCode } from "./problem.ts";

export const SEVERITIES = ["error", "warning", "off"] as const;

/** N3: what a team makes of the warnings of a code. */
export type Severities = Readonly<Partial<Record<ProblemCode, (typeof SEVERITIES)[number]>>>;

/** N3: the problems with the severities of their codes. Errors stay errors. */
export function withSeverities(
  problems: readonly Problem[],
  severities: Severities = {},
): readonly Problem[] {
  if (Object.keys(severities).length === 0) return problems;
  const changed = problems.flatMap((problem): readonly Problem[] => {
    const severity = problem.level === "error" ? "error" : severities[problem.code];
    if (severity === "off") return [];
    return [severity === undefined ? problem : { ...problem, level: severity }];
  });
  return inProblemOrder(changed);
}
