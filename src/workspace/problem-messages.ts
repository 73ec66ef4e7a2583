import type { Problem, ProblemCode, ProblemLevel, ProblemPlace } from "./problem.ts";
import { CATALOGUE } from "./problem-catalogue.ts";
import { MAX_SHOWN, shortened } from "./shortened.ts";

/** P1: a problem with its message, as it is printed. */
export interface DescribedProblem {
  readonly level: ProblemLevel;
  readonly code: ProblemCode;
  readonly at: ProblemPlace;
  readonly message: string;
}

export function describedProblem(problem: Problem): DescribedProblem {
  const { level, code, at } = problem;
  return { level, code, at, message: problemMessage(problem) };
}

export function problemMessage(problem: Problem | DescribedProblem): string {
  if ("message" in problem) return problem.message;
  const { code, args } = problem;
  return (CATALOGUE[code].message as (args: Problem["args"]) => string)(shown(args));
}

/** P13b: with texts that are not too long; values may be megabytes. */
function shown<T>(value: T): T;
function shown(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, MAX_SHOWN);
  if (Array.isArray(value)) return value.map((item) => shown(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}
