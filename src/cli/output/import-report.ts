import { replaceFile } from "../../files/replace-file.ts";
import type { Fate, ReadExport } from "../../folder/format.ts";
import { UsageError } from "../../workspace/errors.ts";
import { markdownText } from "./formats.ts";
import { importLines } from "./import-lines.ts";
import { counted } from "./words.ts";

/** @throws UsageError for a file that is neither JSON nor Markdown. */
export function assertReportName(file: string): void {
  if (/\.(?:json|md)$/i.test(file)) return;
  throw new UsageError(
    `--report cannot write "${file}": its name says neither JSON nor Markdown`,
    "name a file .json or .md",
  );
}

/** X9: writes what became of an export, as JSON or as Markdown. */
export function writeImportReport(file: string, workspaceId: string, read: ReadExport): void {
  const lines = /\.md$/i.test(file) ? markdown(workspaceId, read) : json(workspaceId, read);
  replaceFile(file, `${[...lines].join("\n")}\n`);
}

/** One object; each fate is a line. */
function* json(workspaceId: string, { report, fates }: ReadExport): Generator<string> {
  const head = JSON.stringify({ workspaceId, ...report });
  yield `${head.slice(0, -1)},"fates":[`;
  let last: Fate | undefined;
  for (const fate of fates()) {
    if (last !== undefined) yield `${JSON.stringify(last)},`;
    last = fate;
  }
  if (last !== undefined) yield JSON.stringify(last);
  yield "]}";
}

const HEADINGS = {
  type: "Content types and fields",
  field: "Content types and fields",
  entry: "Entries",
  asset: "Assets",
} as const;

function* markdown(workspaceId: string, { report, fates }: ReadExport): Generator<string> {
  const locale = report.locale === undefined ? "" : ` (${markdownText(report.locale)})`;
  yield `# Import of ${markdownText(workspaceId)}${locale}\n`;
  for (const line of importLines(report)) yield `- ${markdownText(line)}`;
  let heading = "";
  for (const fate of fates()) {
    if (HEADINGS[fate.kind] !== heading) {
      heading = HEADINGS[fate.kind];
      yield `\n## ${heading}\n\n| in the export | here | lost |\n|---|---|---|`;
    }
    yield `| ${markdownText(fate.id)} | ${markdownText(becameText(fate))} | ${markdownText(fate.lost.join("; "))} |`;
  }
}

function becameText({ kind, became }: Fate): string {
  if (became === undefined) return "left out";
  const { id, type, experience, values, draft } = became;
  const own = draft ? "draft entry" : kind;
  const what = kind === "type" ? type : kind === "field" ? `${type} field` : own;
  const by = experience === undefined ? "" : `, experience ${experience}`;
  return `${what} ${id}${by}${values === undefined ? "" : `, ${counted(values, "value")}`}`;
}
