import type {
  ErrorProblems,
  FileDifference,
  FolderFault,
  ObjectFault,
} from "../../workspace/errors.ts";
import type { PlaceOf, Problem, ProblemLevel } from "../../workspace/problem.ts";
import { describedProblem } from "../../workspace/problem-messages.ts";
import { counted, grouped } from "./counted.ts";
import { printable } from "./printable.ts";
import { countsJson, type ListOptions, problemGroups } from "./problem-groups.ts";
import { styled } from "./styled.ts";

/** How many faults of a folder, files or objects are listed. */
const LISTED = 100;

/** What an error lists, as lines of text. */
export function errorLines(problems: ErrorProblems, stream: NodeJS.WriteStream): string[] {
  if (problems.kind === "draft") {
    return refusedLines(problems.list, { checkCommand: "svc check" }, stream);
  }
  const rows = rowsOf(problems);
  const shown = rows.slice(0, LISTED);
  const widths = [0, 1].map((column) =>
    shown.reduce((width, row) => Math.max(width, Math.min(row[column]?.length ?? 0, 60)), 0),
  );
  const lines = shown.map(([first, second, message]) => {
    const columns = `${first.padEnd(widths[0] ?? 0)}  ${second.padEnd(widths[1] ?? 0)}`;
    const mark = styled("red", "error".padEnd(7), stream);
    return `${mark} ${columns.trimEnd()}  ${printable(message)}`.trimEnd();
  });
  const left = rows.length - shown.length;
  return left > 0 ? [...lines, `… ${grouped(left)} more (--json lists all)`] : lines;
}

interface Finding {
  readonly code: string;
  readonly level?: ProblemLevel;
}

/** Problems as `--json` prints them. */
export function problemsJson(problems: ErrorProblems): readonly Finding[] {
  if (problems.kind === "draft") return described(problems.list, problems.placeOf);
  return problems.kind === "files" ? differencesJson(problems.list) : problems.list;
}

/** Files that differ, with a code as other findings have. */
export function differencesJson(list: readonly FileDifference[]) {
  return list.map((one) => ({ code: `file-${one.reason}`, ...one }));
}

function described(list: readonly Problem[], placeOf: PlaceOf | undefined) {
  return list.map((problem) => ({ ...describedProblem(problem), ...placeOf?.(problem.at) }));
}

/** P1 and P13: the problems of a draft with their places and counts. */
export function draftProblemsJson(list: readonly Problem[], options: ListOptions) {
  const { placeOf } = placedProblems(list, options);
  return { problems: described(list, placeOf), counts: countsJson(list) };
}

/** P13: the problems of a draft with their places, if it is that of a folder. */
export function placedProblems(list: readonly Problem[], { findPlaces }: ListOptions) {
  return { kind: "draft", list, placeOf: findPlaces?.(list.map(({ at }) => at)) } as const;
}

/** The problems for which a draft is refused (R4): its errors, or without errors its warnings. */
export function refusingProblems(problems: readonly Problem[]): readonly Problem[] {
  const errors = problems.filter(({ level }) => level === "error");
  return errors.length > 0 ? errors : problems;
}

export function refusedLines(
  problems: readonly Problem[],
  options: ListOptions,
  stream: NodeJS.WriteStream,
): string[] {
  const refusing = refusingProblems(problems);
  const lines = problemGroups(refusing, options, stream);
  const left = problems.length - refusing.length;
  return left > 0
    ? [...lines, `and ${counted(left, "warning")}: ${options.checkCommand} lists them`]
    : lines;
}

type Row = readonly [first: string, second: string, message: string];

function rowsOf(problems: Exclude<ErrorProblems, { kind: "draft" }>): Row[] {
  switch (problems.kind) {
    case "folder":
      return problems.list.map(faultRow);
    case "files":
      return problems.list.map(fileRow);
    case "objects":
      return problems.list.map(objectRow);
  }
}

function faultRow({ file, line, column, record, message }: FolderFault): Row {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const named = record ? printable(`${record.kind} ${JSON.stringify(record.id)}`) : "";
  return [printable(place), named, message];
}

function fileRow({ path, reason, detail }: FileDifference): Row {
  return [printable(path), reason, detail];
}

function objectRow({ key, reason }: ObjectFault): Row {
  return [printable(key), reason, ""];
}
