import { type ErrorProblems, SvcError } from "../../workspace/errors.ts";
import { andMore, grouped } from "../../workspace/listed.ts";
import { printable } from "../../workspace/printable.ts";
import type { Problem } from "../../workspace/problem.ts";
import {
  type Finding,
  type FindingGroup,
  fileText,
  findingGroups,
  findingsOf,
  type ListedProblem,
  type ListOptions,
  problemCounts,
  refusingProblems,
} from "./findings.ts";
import type { Remarks } from "./output.ts";
import { printLines, styled, workflowCommand } from "./print.ts";
import { counted } from "./words.ts";

export type ProblemFormat = "text" | "github" | "markdown";

/** The widest column of places, in characters. */
const WIDEST = 60;
const LISTED = 100;

/** Problems in a format (P13); `stream` is where text is printed. */
export function formattedProblems(
  format: ProblemFormat,
  problems: readonly ListedProblem[],
  options: ListOptions,
  stream: NodeJS.WriteStream,
): string[] {
  const groups = findingGroups(problems, options);
  if (format === "github") return groups.flatMap(annotations);
  if (format === "text") return groups.flatMap((group) => groupLines(group, stream));
  const head = ["", "problem", "place", "message"];
  return [`**${problemCounts(problems)}**`, ...markdownTable(head, groups.flatMap(groupRows))];
}

/** Prints the problems for which `work` is refused, in the format and with their places. */
export async function withFormattedErrors<T>(
  output: Remarks,
  format: ProblemFormat,
  options: ListOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint, problems } = error;
    const more = { ...(hint !== undefined && { hint }), cause: error };
    if (output.json) {
      if (problems?.kind !== "draft") throw error;
      const placeOf = options.findPlaces?.(problems.list);
      throw new SvcError(code, message, { ...more, problems: { ...problems, placeOf } });
    }
    const lines = refusalLines(problems, format, options);
    if (lines === undefined) throw error;
    const stream = format === "text" ? process.stderr : process.stdout;
    printLines(stream, lines);
    throw new SvcError(code, message, more);
  }
}

/** Undefined: they are printed as those of any error. */
function refusalLines(
  problems: ErrorProblems | undefined,
  format: ProblemFormat,
  options: ListOptions,
): string[] | undefined {
  if (problems?.kind === "draft") {
    if (format === "text") return refusedLines(problems.list, options, process.stderr);
    return formattedProblems(format, refusingProblems(problems.list), options, process.stdout);
  }
  if (problems?.kind !== "folder" || format === "text") return undefined;
  return faultLines(format, problems, options.root);
}

export function faultLines(
  format: "github" | "markdown",
  problems: Extract<ErrorProblems, { readonly kind: "folder" }>,
  root?: string,
): string[] {
  const faults = findingsOf(problems, root);
  if (format === "github") return faults.map(annotation);
  const rows = faults.map((fault) => [placeCell(fault), markdownText(fault.message)]);
  return [`**${counted(faults.length, "fault")}**`, ...markdownTable(["place", "fault"], rows)];
}

/** What an error lists, as lines of text. */
export function errorLines(problems: ErrorProblems, stream: NodeJS.WriteStream): string[] {
  if (problems.kind === "draft") {
    return refusedLines(problems.list, { checkCommand: "svc check" }, stream);
  }
  const findings = findingsOf(problems);
  const rows = findings
    .slice(0, LISTED)
    .map(({ place, subject, message }) => [fileText(place), subject, message].map(printable));
  const widths = [0, 1].map((column) => widthOf(rows.map((row) => row[column] ?? "")));
  const mark = styled("red", "error".padEnd(7), stream);
  const lines = rows.map(([first = "", second = "", message]) => {
    const columns = `${first.padEnd(widths[0] ?? 0)}  ${second.padEnd(widths[1] ?? 0)}`;
    return `${mark} ${columns.trimEnd()}  ${message}`.trimEnd();
  });
  const left = findings.length - rows.length;
  return left > 0 ? [...lines, `…${andMore(left, "--json lists all")}`] : lines;
}

function refusedLines(
  problems: readonly Problem[],
  options: ListOptions,
  stream: NodeJS.WriteStream,
): string[] {
  const refusing = refusingProblems(problems);
  const lines = formattedProblems("text", refusing, options, stream);
  const left = problems.length - refusing.length;
  return left > 0
    ? [...lines, `and ${counted(left, "other warning")}: ${options.checkCommand} lists them`]
    : lines;
}

function groupLines(
  { level, code, count, shown, more }: FindingGroup,
  stream: NodeJS.WriteStream,
): string[] {
  const mark = styled(level === "error" ? "red" : "yellow", level.padEnd(7), stream);
  return [
    `${mark} ${code} (${grouped(count)})`,
    ...placeLines(shown, stream.columns),
    ...(more === undefined ? [] : [`  … ${grouped(more.count)} more: ${more.command}`]),
  ];
}

/** @param columns the width of the terminal; undefined: any. */
function placeLines(findings: readonly Finding[], columns = Number.POSITIVE_INFINITY): string[] {
  const rows = findings.map(({ place, subject, message }): [place: string, message: string] => {
    const where = [fileText(place), subject].filter(Boolean).join("  ");
    return [printable(where), printable(message)];
  });
  const width = widthOf(rows.map(([place]) => place));
  const lines = rows.map(([place, message]) => `  ${place.padEnd(width)}  ${message}`);
  if (lines.every((line) => line.length <= columns)) return lines;
  return rows.flatMap(([place, message]) => [`  ${place}`, ...wrapped(message, 4, columns)]);
}

function widthOf(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, Math.min(text.length, WIDEST)), 0);
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

function annotations({ code, shown, more }: FindingGroup): string[] {
  const rest = more === undefined ? [] : [`${code}: ${grouped(more.count)} more: ${more.command}`];
  return [...shown.map(annotation), ...rest];
}

/** A command of a GitHub workflow: `::error file=a.json,line=1,col=2,title=code::message`. */
function annotation({ level, code, place, subject, message }: Finding): string {
  const { file, line, column: col } = place ?? {};
  const properties = Object.entries({ file, line, col, title: code }).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapedProperty(String(value))}`,
  );
  const text = subject === "" ? message : `${subject}: ${message}`;
  return workflowCommand(`${level} ${properties.join(",")}`, escaped(printable(text)));
}

/** As GitHub's own toolkit escapes them. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function groupRows({ level, code, shown, more }: FindingGroup): string[][] {
  const cells = [level, markdownCode(code)];
  const rows = shown.map((one) => [...cells, placeCell(one), markdownText(one.message)]);
  if (more === undefined) return rows;
  const rest = `… ${grouped(more.count)} more: ${markdownCode(more.command)}`;
  return [...rows, [...cells, "", rest]];
}

function placeCell({ place, subject }: Finding): string {
  return [fileText(place), subject].filter(Boolean).map(markdownCode).join("<br>");
}

/** A table, after an empty line; without rows: []. Cells are Markdown already. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return ["", line(head), line(head.map(() => "---")), ...rows.map(line)];
}

/**
 * A text as Markdown in a cell of a table: no markup, no HTML, no link, no mention of an account or issue.
 * What GitHub finds in plain words is broken by a comment.
 */
export function markdownText(text: string): string {
  return printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("$", "&#36;")
    .replace(/[\\`*_[\]|~]/g, "\\$&")
    .replace(/[@#]|:(?=\/\/)|\b(?:www(?=\.)|GH(?=-\d)|(?:mailto|xmpp)(?=:))/gi, "$&<!-- -->");
}

export function markdownCode(text: string): string {
  if (text.includes("`")) return markdownText(text);
  return `\`${printable(text).replaceAll("|", "\\|")}\``;
}
