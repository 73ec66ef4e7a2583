import type {
  FilePlace,
  PlaceOf,
  Problem,
  ProblemLevel,
  ProblemPlace,
} from "../../workspace/problem.ts";
import { type DescribedProblem, problemMessage } from "../../workspace/problem-messages.ts";
import { counted, grouped } from "./counted.ts";
import { printable } from "./printable.ts";
import { styled } from "./styled.ts";

/** How many places of a code are listed. */
const LISTED: Readonly<Record<ProblemLevel, number>> = { error: 50, warning: 10 };

/** The widest column of places, in characters. */
const WIDEST = 60;

/** With its message, or with what it is made of. */
export type ListedProblem = Problem | DescribedProblem;

export interface ListOptions {
  /** The command that `--code` is appended to, to list the rest of a code. */
  readonly checkCommand: string;
  /** List every place. */
  readonly all?: boolean;
  /** Makes the `PlaceOf` of these places. */
  readonly findPlaces?: (places: readonly ProblemPlace[]) => PlaceOf;
  /** The path of a file of the folder from the working directory. */
  readonly fileOf?: (file: string) => string;
}

/** The problems of one code, and which of them are listed. */
export interface ProblemGroup {
  readonly level: ProblemLevel;
  readonly code: Problem["code"];
  readonly count: number;
  readonly shown: readonly ListedProblem[];
  /** How to list the others; undefined: there are none. */
  readonly more: { readonly count: number; readonly command: string } | undefined;
}

/** P5: the problems by code, errors first, with the places of those that are listed. */
export function listedGroups(
  problems: readonly ListedProblem[],
  { checkCommand, all = false, findPlaces }: ListOptions,
): { groups: readonly ProblemGroup[]; placeOf: PlaceOf } {
  const groups = byCode(problems).map(([code, group]): ProblemGroup => {
    const { level } = group[0] as ListedProblem;
    const shown = all ? group : group.slice(0, LISTED[level]);
    const count = group.length - shown.length;
    const more = count > 0 ? { count, command: `${checkCommand} --code ${code}` } : undefined;
    return { level, code, count: group.length, shown, more };
  });
  const places = groups.flatMap(({ shown }) => shown.map(({ at }) => at));
  return { groups, placeOf: findPlaces?.(places) ?? (() => undefined) };
}

/** The problems as text. */
export function problemGroups(
  problems: readonly ListedProblem[],
  options: ListOptions,
  stream: NodeJS.WriteStream,
): string[] {
  const { groups, placeOf } = listedGroups(problems, options);
  return groups.flatMap(({ level, code, count, shown, more }) => [
    `${styled(level === "error" ? "red" : "yellow", level.padEnd(7), stream)} ${code} (${grouped(count)})`,
    ...placeLines(shown, placeOf, stream.columns),
    ...(more === undefined ? [] : [`  … ${grouped(more.count)} more: ${more.command}`]),
  ]);
}

/** The problems of each code, in order by level and code. */
function byCode<P extends { readonly code: string; readonly level?: ProblemLevel }>(
  problems: readonly P[],
): [P["code"], P[]][] {
  const groups = [...Map.groupBy(problems, ({ code }) => code)];
  const order = ([code, [first]]: (typeof groups)[number]) => `${first?.level} ${code}`;
  return groups.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** @param columns the width of the terminal; undefined: any. */
function placeLines(
  problems: readonly ListedProblem[],
  placeOf: PlaceOf,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const rows = problems.map((problem) => {
    const place = [fileText(placeOf(problem.at)), recordText(problem.at)].filter(Boolean);
    return [printable(place.join("  ")), printable(problemMessage(problem))];
  }) as [place: string, message: string][];
  const width = rows.reduce((most, [place]) => Math.max(most, Math.min(place.length, WIDEST)), 0);
  const lines = rows.map(([place, message]) => `  ${place.padEnd(width)}  ${message}`);
  if (lines.every((line) => line.length <= columns)) return lines;
  return rows.flatMap(([place, message]) => [`  ${place}`, ...wrapped(message, 4, columns)]);
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
) {
  const errors = problems.filter(({ level = "error" }) => level === "error").length;
  const codes = byCode(problems).map(([code, group]) => [code, group.length] as const);
  return { errors, warnings: problems.length - errors, byCode: Object.fromEntries(codes) };
}

/** A text in lines of at most `columns` characters, broken at spaces, each indented. */
export function wrapped(text: string, indent: number, columns: number): string[] {
  const room = Math.max(20, columns - indent);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => " ".repeat(indent) + one);
}
