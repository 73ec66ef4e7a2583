import { relative, resolve } from "node:path";
import type { ErrorProblems, FileDifference, FolderFault } from "../../workspace/errors.ts";
import type {
  FilePlace,
  PlacedProblem,
  PlaceOf,
  Problem,
  ProblemLevel,
  ProblemPlace,
} from "../../workspace/problem.ts";
import {
  type DescribedProblem,
  describedProblem,
  problemMessage,
} from "../../workspace/problem-messages.ts";
import type { Difference, Failure, FindingCounts, Problems } from "../results.ts";
import { counted } from "./words.ts";

/** How many places of a code are listed. */
const LISTED: Readonly<Record<ProblemLevel, number>> = { error: 50, warning: 10 };

/** With its message, or with what it is made of. */
export type ListedProblem = Problem | DescribedProblem;

export interface ListOptions {
  /** The command that `--code` is appended to, to list the rest of a code. */
  readonly checkCommand: string;
  readonly all?: boolean;
  /** Makes the `PlaceOf` of these places. */
  readonly findPlaces?: (problems: readonly PlacedProblem[]) => PlaceOf;
  /** What files are named from, if it is not the working directory. */
  readonly root?: string;
}

/** What was found, as every format lists it. */
export interface Finding {
  readonly level: ProblemLevel;
  readonly code: string;
  readonly place: FilePlace | undefined;
  /** The record that has it, or what is wrong with a file; empty: nothing more is known. */
  readonly subject: string;
  readonly message: string;
}

/** The findings of one code, and which of them are listed. */
export interface FindingGroup {
  readonly level: ProblemLevel;
  readonly code: string;
  readonly count: number;
  readonly shown: readonly Finding[];
  /** How to list the others; undefined: there are none. */
  readonly more: { readonly count: number; readonly command: string } | undefined;
}

/** P5: the problems by code, errors first, with the places of those that are listed. */
export function findingGroups(
  problems: readonly ListedProblem[],
  { checkCommand, all = false, findPlaces }: ListOptions,
): FindingGroup[] {
  const groups = byLevelAndCode(problems).map((group) => {
    const { level, code } = group[0] as ListedProblem;
    const shown = all ? group : group.slice(0, LISTED[level]);
    return { level, code, count: group.length, shown };
  });
  const placeOf = findPlaces?.(groups.flatMap(({ shown }) => shown));
  return groups.map(({ level, code, count, shown }) => {
    const left = count - shown.length;
    const more = left > 0 ? { count: left, command: `${checkCommand} --code ${code}` } : undefined;
    const findings = shown.map((problem) => ({
      level,
      code,
      place: placeOf?.(problem),
      subject: recordText(problem.at),
      message: problemMessage(problem),
    }));
    return { level, code, count, shown: findings, more };
  });
}

/** What an error lists that is no problem of a draft. */
export function findingsOf(
  problems: Exclude<ErrorProblems, { readonly kind: "draft" }>,
  root?: string,
): Finding[] {
  const level = "error";
  switch (problems.kind) {
    case "folder":
      return faultsFrom(problems, root).map(
        ({ code, file, line, column, record, message, other }) => {
          const at = {
            ...(line !== undefined && { line }),
            ...(column !== undefined && { column }),
          };
          const place = file === "" ? undefined : { file, ...at };
          const subject = record === undefined ? "" : `${record.kind} ${JSON.stringify(record.id)}`;
          const also = other === undefined ? "" : ` (also in ${other})`;
          return { level, code, place, subject, message: message + also };
        },
      );
    case "files":
      return differencesJson(problems.list).map(({ code, path, reason, detail }) => {
        return { level, code, place: { file: path }, subject: reason, message: detail };
      });
    case "objects":
      return problems.list.map(({ code, key, reason }) => {
        return { level, code, place: { file: key }, subject: reason, message: "" };
      });
  }
}

/** W4: faults with the paths of their files from `root` (P13a). */
function faultsFrom(
  { list, folder }: Extract<ErrorProblems, { readonly kind: "folder" }>,
  root?: string,
): readonly FolderFault[] {
  if (folder === undefined) return list;
  const from = (file: string) => (file === "" ? file : pathFrom(folder, file, root));
  return list.map(({ file, other, ...fault }) => {
    return { ...fault, file: from(file), ...(other !== undefined && { other: from(other) }) };
  });
}

/**
 * P13a: the path of a file of a folder from where svc was started, so that a terminal can open it;
 * of one that is not below that the absolute path.
 *
 * @param root another folder to begin with.
 */
export function pathFrom(folder: string, file: string, root = process.cwd()): string {
  const path = resolve(folder, file);
  const below = relative(root, path);
  return (below.startsWith("..") ? path : below).replaceAll("\\", "/");
}

/** Errors first. A code may have problems of both levels. */
function byLevelAndCode(problems: readonly ListedProblem[]): ListedProblem[][] {
  const groups = [...Map.groupBy(problems, ({ level, code }) => `${level} ${code}`)];
  return groups.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function byCode<P extends { readonly code: string; readonly level?: ProblemLevel }>(
  problems: readonly P[],
): [P["code"], P[]][] {
  const groups = [...Map.groupBy(problems, ({ code }) => code)];
  const order = ([code, [first]]: (typeof groups)[number]) => `${first?.level} ${code}`;
  return groups.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** "content/entries/home.json:3:5", or "". */
export function fileText(place: FilePlace | undefined): string {
  const { file, line, column } = place ?? {};
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** "entry home /title" */
export function recordText({ kind, id, path }: ProblemPlace): string {
  return `${kind} ${id} ${path}`.trimEnd();
}

/** "no problems", or "1 error, 2 warnings". */
export function problemCounts(problems: readonly ListedProblem[]): string {
  if (problems.length === 0) return "no problems";
  const { errors, warnings } = countsJson(problems);
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}`;
}

/** How many findings there are, as `--json` prints it; what has no level is an error. */
export function countsJson(
  problems: readonly { readonly code: string; readonly level?: ProblemLevel }[],
): FindingCounts {
  const errors = problems.filter(({ level = "error" }) => level === "error").length;
  const codes = byCode(problems).map(([code, group]) => [code, group.length] as const);
  return { errors, warnings: problems.length - errors, byCode: Object.fromEntries(codes) };
}

/** The findings of an error as `--json` prints them. */
export function problemsJson(problems: ErrorProblems): NonNullable<Failure["error"]["problems"]> {
  if (problems.kind === "draft") return described(problems.list, problems.placeOf);
  if (problems.kind === "folder") return faultsFrom(problems);
  return problems.kind === "files" ? differencesJson(problems.list) : problems.list;
}

/** Files that differ, with a code as other findings have. */
export function differencesJson(list: readonly FileDifference[]): Difference[] {
  return list.map((one) => ({ code: `file-${one.reason}`, ...one }));
}

function described(list: readonly ListedProblem[], placeOf: PlaceOf | undefined) {
  return list.map((problem) => {
    const { level, code, at, message } = "message" in problem ? problem : describedProblem(problem);
    return { level, code, at, message, ...placeOf?.(problem) };
  });
}

/** P1 and P13a: the problems of a draft with their places and counts. */
export function draftProblemsJson(list: readonly ListedProblem[], options: ListOptions): Problems {
  const placeOf = options.findPlaces?.(list);
  return { problems: described(list, placeOf), counts: countsJson(list) };
}

/**
 * P5a: the problems for which a draft is refused (R4): its errors, with the warnings of the same
 * records, since these may say why; or without errors its warnings.
 */
export function refusingProblems(problems: readonly Problem[]): readonly Problem[] {
  const record = ({ at }: Problem) => `${at.kind} ${at.id}`;
  const isError = ({ level }: Problem) => level === "error";
  const faulty = new Set(problems.filter(isError).map(record));
  return faulty.size > 0 ? problems.filter((one) => faulty.has(record(one))) : problems;
}
