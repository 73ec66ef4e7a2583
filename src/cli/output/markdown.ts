import type { FolderFault } from "../../workspace/errors.ts";
import type { Problem } from "../../workspace/problem.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import { counted, grouped } from "./counted.ts";
import { printable } from "./printable.ts";
import {
  fileText,
  type ListOptions,
  listedGroups,
  problemCounts,
  recordText,
} from "./problem-groups.ts";

/** Problems as a table of GitHub Flavored Markdown, below their counts. */
export function markdownProblems(problems: readonly Problem[], options: ListOptions): string[] {
  const { groups, placeOf } = listedGroups(problems, options);
  const rows = groups.flatMap(({ level, code, shown, more }) => [
    ...shown.map((problem) => {
      const places = [fileText(placeOf(problem.at)), recordText(problem.at)].filter(Boolean);
      const message = markdownText(problemMessage(problem));
      return [level, markdownCode(code), places.map(markdownCode).join("<br>"), message];
    }),
    ...(more === undefined
      ? []
      : [
          [
            level,
            markdownCode(code),
            "",
            `… ${grouped(more.count)} more: ${markdownCode(more.command)}`,
          ],
        ]),
  ]);
  const head = ["", "problem", "place", "message"];
  return [`**${problemCounts(problems)}**`, ...markdownTable(head, rows)];
}

/** Faults of a workspace folder as a table. */
export function markdownFaults(
  faults: readonly FolderFault[],
  fileOf: (file: string) => string,
): string[] {
  const rows = faults.map(({ file, record, message, ...place }) => {
    const named = record && `${record.kind} ${JSON.stringify(record.id)}`;
    const found = file === "" ? "" : fileText({ file: fileOf(file), ...place });
    const cells = [found, named ?? ""].filter((text) => text !== "").map(markdownCode);
    return [cells.join("<br>"), markdownText(message)];
  });
  return [`**${counted(faults.length, "fault")}**`, ...markdownTable(["place", "fault"], rows)];
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

/** A text as Markdown in a cell of a table: no markup, no HTML, no mention of an account or issue. */
export function markdownText(text: string): string {
  return printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\`*_[\]|~]/g, "\\$&")
    .replace(/[@#]/g, "$&<!-- -->");
}

/** A text as code in a cell of a table. */
export function markdownCode(text: string): string {
  if (text.includes("`")) return markdownText(text);
  return `\`${printable(text).replaceAll("|", "\\|")}\``;
}
