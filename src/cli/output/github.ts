import type { FolderFault } from "../../workspace/errors.ts";
import type { FilePlace, Problem, ProblemLevel } from "../../workspace/problem.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import { grouped } from "./counted.ts";
import { printable } from "./printable.ts";
import { type ListOptions, listedGroups, recordText } from "./problem-groups.ts";

/** Problems as annotations of a GitHub workflow. */
export function githubProblems(problems: readonly Problem[], options: ListOptions): string[] {
  const { groups, placeOf } = listedGroups(problems, options);
  return groups.flatMap(({ level, code, shown, more }) => [
    ...shown.map((problem) =>
      annotation(
        level,
        code,
        placeOf(problem.at),
        `${recordText(problem.at)}: ${problemMessage(problem)}`,
      ),
    ),
    ...(more === undefined ? [] : [`${code}: ${grouped(more.count)} more: ${more.command}`]),
  ]);
}

/** Faults of a workspace folder as annotations. */
export function githubFaults(
  faults: readonly FolderFault[],
  fileOf: (file: string) => string,
): string[] {
  return faults.map(({ code, file, line, column, record, message }) => {
    const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
    const inFile = file === "" ? undefined : { file: fileOf(file), ...place };
    const named = record === undefined ? "" : `${record.kind} ${JSON.stringify(record.id)}: `;
    return annotation("error", code, inFile, named + message);
  });
}

/** A workflow command: `::error file=a.json,line=1,col=2,title=code::message`. */
function annotation(
  level: ProblemLevel,
  title: string,
  place: FilePlace | undefined,
  message: string,
): string {
  const { file, line, column: col } = place ?? {};
  const properties = Object.entries({ file, line, col, title }).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapedProperty(String(value))}`,
  );
  return `::${level} ${properties.join(",")}::${escaped(printable(message))}`;
}

/** As GitHub's own toolkit escapes them. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
