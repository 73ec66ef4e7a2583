import { byCodeUnit } from "./json.ts";
import { CATALOGUE } from "./problem-catalogue.ts";

export type ProblemLevel = "error" | "warning";

/** A record, and the JSON Pointer of a place in it (P1). */
export interface ProblemPlace {
  /** `entry`: the path is into its `data`. Others: the path is into the record. */
  readonly kind: "entry" | "project" | "model" | "block" | "workspace" | "asset";
  readonly id: string;
  readonly path: string;
}

/** A place in a file of a workspace folder. */
export interface FilePlace {
  /** Relative to the folder; as it is printed, to the working directory. With `/`. */
  readonly file: string;
  /** From 1; present where known. */
  readonly line?: number;
  readonly column?: number;
}

/** Where a problem is in the files of a workspace folder; undefined: not known. */
export type PlaceOf = (problem: PlacedProblem) => FilePlace | undefined;

export type PlacedProblem = Pick<Problem, "code" | "at">;

export type ProblemCode = keyof typeof CATALOGUE;

/** Of each code, where a problem has no other. */
export const PROBLEM_LEVELS = Object.fromEntries(
  Object.entries(CATALOGUE).map(([code, { level }]) => [code, level]),
) as { readonly [C in ProblemCode]: (typeof CATALOGUE)[C]["level"] };

export type ProblemArguments = {
  readonly [C in ProblemCode]: Parameters<(typeof CATALOGUE)[C]["message"]>[0];
};

/** P1: a problem of a draft, as data: `problem-catalogue.ts` has the words. */
export type Problem = {
  [C in ProblemCode]: {
    readonly level: ProblemLevel;
    readonly code: C;
    readonly at: ProblemPlace;
    readonly args: ProblemArguments[C];
  };
}[ProblemCode];

export function problem<C extends ProblemCode>(
  at: ProblemPlace,
  code: C,
  args: ProblemArguments[C],
): Problem {
  return { level: PROBLEM_LEVELS[code], code, at, args } as Problem;
}

/**
 * P1: the order in which problems are reported, errors first. A place has at most one problem of a
 * code: several entries may report the same problem of a definition.
 */
export function inProblemOrder<P extends Omit<Problem, "args">>(problems: readonly P[]): P[] {
  const sorted = [...problems].sort((a, b) => byCodeUnit(a.level, b.level) || comparePlaces(a, b));
  const distinct = sorted.filter((one, index) => {
    const before = sorted[index - 1];
    return before === undefined || before.level !== one.level || comparePlaces(before, one) !== 0;
  });
  // A7: what is an error in one language may be a warning in another, in which its entry is a draft.
  const keyOf = ({ at, code }: P) => JSON.stringify([at.kind, at.id, at.path, code]);
  const errors = new Set(distinct.filter(({ level }) => level === "error").map(keyOf));
  if (errors.size === 0 || errors.size === distinct.length) return distinct;
  return distinct.filter((one) => one.level === "error" || !errors.has(keyOf(one)));
}

function comparePlaces(a: Omit<Problem, "args">, b: Omit<Problem, "args">): number {
  return (
    byCodeUnit(a.at.kind, b.at.kind) ||
    byCodeUnit(a.at.id, b.at.id) ||
    byCodeUnit(a.at.path, b.at.path) ||
    byCodeUnit(a.code, b.code)
  );
}
