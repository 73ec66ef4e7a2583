import type { Problem } from "../../workspace/problem.ts";
import { counted } from "./counted.ts";
import { printable } from "./printable.ts";
import { styled } from "./styled.ts";

/** A fault of a workspace folder. */
interface Located {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** A file or an object that is not what it should be. */
interface Differing {
  readonly path?: string;
  readonly key?: string;
  readonly reason: string;
  readonly detail?: string;
}

/** Findings as lines of text, in columns. */
export function problemLines(problems: readonly object[], stream: NodeJS.WriteStream): string[] {
  const rows = problems.map((problem) => {
    if ("level" in problem) return problemRow(problem as Problem);
    return "file" in problem ? faultRow(problem as Located) : differingRow(problem as Differing);
  });
  const widths = [0, 1].map((column) =>
    rows.reduce((width, row) => Math.max(width, Math.min(row.columns[column]?.length ?? 0, 60)), 0),
  );
  return rows.map(({ level, columns: [first = "", second = ""], message }) => {
    const mark = styled(level === "error" ? "red" : "yellow", level.padEnd(7), stream);
    const columns = `${first.padEnd(widths[0] ?? 0)}  ${second.padEnd(widths[1] ?? 0)}`;
    return `${mark} ${columns.trimEnd()}  ${printable(message)}`.trimEnd();
  });
}

function problemRow({ level, code, at, message }: Problem) {
  return { level, columns: [code, printable(`${at.kind} ${at.id} ${at.path}`)], message };
}

function faultRow({ file, line, column, message }: Located) {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return { level: "error" as const, columns: [printable(place)], message };
}

function differingRow({ path, key, reason, detail = "" }: Differing) {
  return {
    level: "error" as const,
    columns: [printable(path ?? key ?? ""), reason],
    message: detail,
  };
}

/** "no problems", or "1 error, 2 warnings". */
export function problemCounts(problems: readonly Problem[]): string {
  if (problems.length === 0) return "no problems";
  const errors = problems.filter(({ level }) => level === "error").length;
  const warnings = problems.length - errors;
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}`;
}
