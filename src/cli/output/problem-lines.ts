import type {
  ErrorProblems,
  FileDifference,
  FolderFault,
  ObjectFault,
} from "../../workspace/errors.ts";
import type { Problem } from "../../workspace/problem.ts";
import { describedProblem, problemMessage } from "../../workspace/problem-messages.ts";
import { counted } from "./counted.ts";
import { printable } from "./printable.ts";
import { styled } from "./styled.ts";

interface Row {
  readonly level: Problem["level"];
  readonly columns: readonly [string, string?];
  readonly message: string;
}

/** Problems as lines of text, in columns. */
export function problemLines(problems: ErrorProblems, stream: NodeJS.WriteStream): string[] {
  const rows = rowsOf(problems);
  const widths = [0, 1].map((column) =>
    rows.reduce((width, row) => Math.max(width, Math.min(row.columns[column]?.length ?? 0, 60)), 0),
  );
  return rows.map(({ level, columns: [first, second = ""], message }) => {
    const mark = styled(level === "error" ? "red" : "yellow", level.padEnd(7), stream);
    const columns = `${first.padEnd(widths[0] ?? 0)}  ${second.padEnd(widths[1] ?? 0)}`;
    return `${mark} ${columns.trimEnd()}  ${printable(message)}`.trimEnd();
  });
}

/** Problems as `--json` prints them. */
export function problemsJson({ kind, list }: ErrorProblems): readonly object[] {
  return kind === "draft" ? list.map(describedProblem) : list;
}

function rowsOf(problems: ErrorProblems): Row[] {
  switch (problems.kind) {
    case "draft":
      return problems.list.map(draftRow);
    case "folder":
      return problems.list.map(faultRow);
    case "files":
      return problems.list.map(fileRow);
    case "objects":
      return problems.list.map(objectRow);
  }
}

function draftRow(problem: Problem): Row {
  const { level, code, at } = problem;
  const place = printable(`${at.kind} ${at.id} ${at.path}`);
  return { level, columns: [code, place], message: problemMessage(problem) };
}

function faultRow({ file, line, column, record, message }: FolderFault): Row {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const named = record ? printable(`${record.kind} ${JSON.stringify(record.id)}`) : "";
  return { level: "error", columns: [printable(place), named], message };
}

function fileRow({ path, reason, detail }: FileDifference): Row {
  return { level: "error", columns: [printable(path), reason], message: detail };
}

function objectRow({ key, reason }: ObjectFault): Row {
  return { level: "error", columns: [printable(key), reason], message: "" };
}

/** "no problems", or "1 error, 2 warnings". */
export function problemCounts(problems: readonly Problem[]): string {
  if (problems.length === 0) return "no problems";
  const errors = problems.filter(({ level }) => level === "error").length;
  const warnings = problems.length - errors;
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}`;
}
