import type { Problem } from "../workspace/problem.ts";
import type { EntryNumber } from "./entry-lookup.ts";
import type { EntryTable } from "./entry-table.ts";

const NONE: readonly Problem[] = [];

/**
 * The problems of a served entry. A3: those of an entry that is not published are warnings, and that
 * it points at another such entry is none.
 */
export function reportedProblems(table: EntryTable, entry: EntryNumber): readonly Problem[] {
  const problems = table.problems.get(entry) ?? NONE;
  if (problems.length === 0 || !table.isHidden(entry)) return problems;
  return problems.filter(({ code }) => code !== "reference-draft").map(asWarning);
}

export function asWarning(problem: Problem): Problem {
  return problem.level === "warning" ? problem : { ...problem, level: "warning" };
}
