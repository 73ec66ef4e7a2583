import { byCodeUnit } from "./json.ts";

export type ProblemLevel = "error" | "warning";

/** Where a problem stands: a record, and the JSON Pointer of the place in its stored data (P1). */
export interface ProblemPlace {
  /** `entry`: the path is into its `data`. `project`: the path is into the record. */
  readonly kind: "entry" | "project";
  readonly id: string;
  readonly path: string;
}

/** P1: a finding about a draft, as data. */
export interface Problem {
  readonly level: ProblemLevel;
  readonly code: ProblemCode;
  readonly at: ProblemPlace;
  readonly message: string;
}

/** What each code is told with. */
interface ProblemArguments {
  "value-missing": { field: string };
  "value-type": { expected: string };
  "value-constraint": { reason: string };
  "block-not-accepted": { block: string; category: string };
  "reference-model-not-accepted": { target: string; model: string; accepted: readonly string[] };
  "reference-deleted": { target: string };
  "reference-other-workspace": { target: string };
  "reference-too-deep": { target: string; experience: string; project: string; others: number };
  "model-missing": { modelId: string };
  "asset-missing": { asset: string; version: string | undefined };
  "html-unreadable": { asset: string; reason: string };
  "block-deleted": { block: string };
  "step-entry-missing": { step: string; target: string };
  "experience-step-missing": { experience: string; step: string };
}

export type ProblemCode = keyof ProblemArguments;

/** A finding before it is put into words. */
export type Finding = {
  [C in ProblemCode]: { readonly code: C; readonly args: ProblemArguments[C] };
}[ProblemCode];

type Telling<C extends ProblemCode> = [ProblemLevel, (args: ProblemArguments[C]) => string];

/** P2 and P3: every code with its level and its words. */
const CATALOGUE: { readonly [C in ProblemCode]: Telling<C> } = {
  "value-missing": ["error", (a) => `the required field "${a.field}" has no value`],
  "value-type": ["error", (a) => `the stored value is not ${a.expected}, so it is not served`],
  "value-constraint": ["error", (a) => `the value ${a.reason}`],
  "block-not-accepted": [
    "error",
    (a) => `the block "${a.block}" is not of the category "${a.category}" that the field accepts`,
  ],
  "reference-model-not-accepted": [
    "error",
    (a) =>
      `the entry "${a.target}" is of the model "${a.model}"; the field accepts only ${a.accepted.map((key) => `"${key}"`).join(", ")}`,
  ],
  "reference-deleted": ["warning", (a) => `there is no entry "${a.target}" (deleted?)`],
  "reference-other-workspace": [
    "warning",
    (a) => `the entry "${a.target}" belongs to another workspace, so it is not served`,
  ],
  "reference-too-deep": [
    "warning",
    (a) =>
      `the entry "${a.target}" is more than 5 references away in the experience "${a.experience}" of the project "${a.project}"${a.others > 0 ? ` and in ${a.others} more` : ""}, so it is not served there`,
  ],
  "model-missing": [
    "warning",
    (a) => `there is no model "${a.modelId}" (deleted?), so the entry is served without data`,
  ],
  "asset-missing": [
    "warning",
    (a) =>
      a.version === undefined
        ? `there is no asset "${a.asset}" (deleted?)`
        : `there is no version "${a.version}" of the asset "${a.asset}" (deleted?)`,
  ],
  "html-unreadable": [
    "warning",
    (a) => `the text of the asset "${a.asset}" cannot be served: ${a.reason}`,
  ],
  "block-deleted": [
    "warning",
    (a) => `there is no block definition "${a.block}" (deleted?), so the block is not served`,
  ],
  "step-entry-missing": [
    "warning",
    (a) => `the step "${a.step}" shows the entry "${a.target}", which does not exist (deleted?)`,
  ],
  "experience-step-missing": [
    "warning",
    (a) => `the experience "${a.experience}" names the step "${a.step}", which does not exist`,
  ],
};

/** Every code with its level (P2: errors; P3: warnings). */
export const PROBLEM_LEVELS: Readonly<Record<ProblemCode, ProblemLevel>> = Object.fromEntries(
  Object.entries(CATALOGUE).map(([code, [level]]) => [code, level]),
) as Record<ProblemCode, ProblemLevel>;

/** A finding at a place, in words. */
export function problem(at: ProblemPlace, finding: Finding): Problem {
  const [level, words] = CATALOGUE[finding.code] as Telling<ProblemCode>;
  return { level, code: finding.code, at, message: words(finding.args as never) };
}

/** P1: the order in which problems are reported, errors first. */
export function inProblemOrder(problems: readonly Problem[]): Problem[] {
  return [...problems].sort(
    (a, b) =>
      byCodeUnit(a.level, b.level) ||
      byCodeUnit(a.at.kind, b.at.kind) ||
      byCodeUnit(a.at.id, b.at.id) ||
      byCodeUnit(a.at.path, b.at.path) ||
      byCodeUnit(a.code, b.code) ||
      byCodeUnit(a.message, b.message),
  );
}
