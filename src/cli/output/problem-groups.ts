import type { Problem, ProblemLevel } from "../../workspace/problem.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import { counted, grouped } from "./counted.ts";
import { printable } from "./printable.ts";
import { styled } from "./styled.ts";
import { wrapped } from "./wrapped.ts";

/** How many places of a code are listed. */
const LISTED: Readonly<Record<ProblemLevel, number>> = { error: 50, warning: 10 };

/** The widest column of places, in characters. */
const WIDEST = 60;

export interface GroupOptions {
  /** The command that `--code` is appended to, to list the rest of a code. */
  readonly checkCommand: string;
  /** List every place. */
  readonly all?: boolean;
}

/** The problems by code, errors first, each with its first places. */
export function problemGroups(
  problems: readonly Problem[],
  { checkCommand, all = false }: GroupOptions,
  stream: NodeJS.WriteStream,
): string[] {
  return [...byCode(problems)].flatMap(([code, group]) => {
    const { level } = group[0] as Problem;
    const mark = styled(level === "error" ? "red" : "yellow", level.padEnd(7), stream);
    const shown = all ? group : group.slice(0, LISTED[level]);
    const left = group.length - shown.length;
    const more = `  … ${grouped(left)} more: ${checkCommand} --code ${code}`;
    return [
      `${mark} ${code} (${grouped(group.length)})`,
      ...placeLines(shown, stream.columns),
      ...(left > 0 ? [more] : []),
    ];
  });
}

/** The problems of each code, in order by level and code. */
export function byCode(problems: readonly Problem[]): [Problem["code"], Problem[]][] {
  const groups = [...Map.groupBy(problems, ({ code }) => code)];
  const order = ([code, [first]]: (typeof groups)[number]) => `${first?.level} ${code}`;
  return groups.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** @param columns the width of the terminal; undefined: any. */
function placeLines(problems: readonly Problem[], columns = Number.POSITIVE_INFINITY): string[] {
  const rows = problems.map((problem) => {
    const { kind, id, path } = problem.at;
    return [printable(`${kind} ${id} ${path}`).trimEnd(), printable(problemMessage(problem))];
  }) as [place: string, message: string][];
  const width = rows.reduce((most, [place]) => Math.max(most, Math.min(place.length, WIDEST)), 0);
  const lines = rows.map(([place, message]) => `  ${place.padEnd(width)}  ${message}`);
  if (lines.every((line) => line.length <= columns)) return lines;
  return rows.flatMap(([place, message]) => [`  ${place}`, ...wrapped(message, 4, columns)]);
}

/** "no problems", or "1 error, 2 warnings". */
export function problemCounts(problems: readonly Problem[]): string {
  if (problems.length === 0) return "no problems";
  const { errors, warnings } = countsJson(problems);
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}`;
}

/** How many problems there are, as `--json` prints it. */
export function countsJson(problems: readonly Problem[]) {
  const errors = problems.filter(({ level }) => level === "error").length;
  const codes = byCode(problems).map(([code, group]) => [code, group.length] as const);
  return { errors, warnings: problems.length - errors, byCode: Object.fromEntries(codes) };
}
