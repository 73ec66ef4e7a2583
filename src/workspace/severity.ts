import type { Problem, ProblemCode } from "./problem.ts";

const SEVERITIES = ["error", "warning", "off"] as const;

/** N3: what a team makes of the problems of a code. */
export type Severities = Readonly<Partial<Record<ProblemCode, (typeof SEVERITIES)[number]>>>;

/** P15: errors without which a served value would not be as its schema says (S4), or a document without end. */
const BREAK_SCHEMA: ReadonlySet<string> = new Set<ProblemCode>([
  "value-missing",
  "value-type",
  "value-constraint",
  "locale-missing",
  "block-not-accepted",
  "reference-model-not-accepted",
  "document-over-64mb",
]);

/** P15: what the severity of a code can be. */
export function severitiesOf(code: string): readonly string[] {
  return BREAK_SCHEMA.has(code) ? ["error"] : SEVERITIES;
}

/** P15: whether a value with this problem may not be as its schema says. */
export function breaksSchema({ code, level, args }: Problem): boolean {
  if (BREAK_SCHEMA.has(code)) return true;
  if (code === "localized-missing") return !args.isServed;
  // P11a: in place of a problem for each refused value.
  return code === "option-unknown" && level === "error";
}

/** N3: the problems with the severities of their codes. */
export function withSeverities(
  problems: readonly Problem[],
  severities: Severities,
): readonly Problem[] {
  if (Object.keys(severities).length === 0) return problems;
  return problems.flatMap((problem): readonly Problem[] => {
    const severity = breaksSchema(problem) ? undefined : severities[problem.code];
    if (severity === "off") return [];
    return [severity === undefined ? problem : { ...problem, level: severity }];
  });
}
