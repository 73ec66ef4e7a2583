import { replaceFile } from "../../files/replace-file.ts";
import type { Fate, FormatReport, ReadExport } from "../../import/format.ts";
import { UsageError } from "../../workspace/errors.ts";
import { andMore, listed } from "../../workspace/listed.ts";
import type { Publishing } from "../../workspace/records.ts";
import { markdownText } from "./formats.ts";
import { counted } from "./words.ts";

/** @throws UsageError for a file that is neither JSON nor Markdown. */
export function assertReportName(file: string): void {
  if (/\.(?:json|md)$/i.test(file)) return;
  throw new UsageError(
    `--report cannot write "${file}": its name says neither JSON nor Markdown`,
    "name a file .json or .md",
  );
}

/** X9a: writes what became of an export, as JSON or as Markdown. */
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
  file: "Files",
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
  const { id, type, experience, values, draft, publishAt, unpublishAt } = became;
  const own = draft === undefined ? kind : draftText(draft);
  const what = kind === "type" ? type : kind === "field" ? `${type} field` : own;
  const by = experience === undefined ? "" : `, experience ${experience}`;
  const more = [
    ...(values === undefined ? [] : [counted(values, "value")]),
    ...(publishAt === undefined ? [] : [`published from ${publishAt}`]),
    ...(unpublishAt === undefined ? [] : [`until ${unpublishAt}`]),
  ];
  return [`${what} ${id}${by}`, ...more].join(", ");
}

/** A1, A7. */
function draftText(draft: Publishing["draft"]): string {
  if (typeof draft !== "object") return draft ? "draft entry" : "entry";
  return `entry that is a draft in ${Object.keys(draft).join(", ")},`;
}

/** X3h. */
function foundLine(found: NonNullable<FormatReport["found"]>): string {
  const [{ locale: main = "" } = {}] = found;
  const counts = found.map(({ locale, texts }) => `${locale} (${counted(texts, "text")})`);
  const all = found.map(({ locale }) => locale).join(",");
  return `languages found: ${counts.join(", ")}: --locales ${main} turns this off, --locales ${all} decides`;
}

const MAX_WARNINGS = 10;

/** What an import from another system left out, changed or warns about, as lines of text. */
export function importLines(report: FormatReport): string[] {
  const { leftOut, notCarriedOver, roots, experiences, warnings } = report;
  const { drafts, unpublishedEdits, draftLocales } = report;
  const { added, kept, removed } = experiences;
  const carried = Object.entries(notCarriedOver).map(([name, times]) => `${name} (${times})`);
  const when = (is: boolean, line: () => string) => (is ? [line()] : []);
  const found = report.found ?? [];
  return [
    ...when(found.length > 0, () => foundLine(found)),
    ...limited(warnings.map((text) => `warning: ${text}`)),
    ...when(unpublishedEdits.length > 0, () => editsLine(unpublishedEdits)),
    ...when(draftLocales.length > 0, () => draftLocalesLine(draftLocales)),
    ...when(drafts > 0, () => {
      const entries = counted(drafts, "entry has", "entries have");
      const them = drafts === 1 ? "it" : "them";
      return `drafts: ${entries} draft: true, and publishing leaves ${them} out (--drafts imports as published)`;
    }),
    ...Object.entries(leftOut).map(([what, count]) => `left out: ${what} (${count})`),
    ...when(carried.length > 0, () => `validations not carried over: ${carried.join(", ")}`),
    roots.length > 0
      ? `experiences: the entries of ${roots.join(", ")} (--roots names others)`
      : "experiences: what no entry references, since no content type has an address; --roots names the content types of pages",
    ...when(
      added.length > 0 && roots.length > 0,
      () =>
        `experiences: ${counted(added.length, "entry", "entries")} more that these do not lead to within 5 references, e.g. ${added[0]}; leave out of the export what no page needs`,
    ),
    ...when(
      kept.length > 0,
      () =>
        `warning: ${counted(kept.length, "experience")} kept that the export has no root for, e.g. ${kept[0]}: --remove-experiences removes such`,
    ),
    ...when(
      removed.length > 0,
      () => `removed: ${counted(removed.length, "experience")}, e.g. ${removed[0]}`,
    ),
  ];
}

/** X21: names the records, as many as are listed of warnings. */
function editsLine(edits: FormatReport["unpublishedEdits"]): string {
  const names = named(edits.map(({ kind, id }) => `${kind} ${id}`));
  const records = counted(edits.length, "published record comes", "published records come");
  return `warning: ${records} with edits that were never published, as an export has no other state (--strict refuses such): ${names}`;
}

/** X3e. */
function draftLocalesLine(entries: FormatReport["draftLocales"]): string {
  const names = named(entries.map(({ id, locales }) => `${id} (${locales.join(", ")})`));
  const what = counted(entries.length, "entry is a draft", "entries are drafts");
  return `drafts: ${what} in some locales, and publishing leaves them out there (--drafts imports as published): ${names}`;
}

function named(records: readonly string[]): string {
  return listed(records, MAX_WARNINGS, "--json and --report list all");
}

function limited(lines: readonly string[]): string[] {
  const rest = lines.length - MAX_WARNINGS;
  if (rest <= 1) return [...lines];
  return [...lines.slice(0, MAX_WARNINGS), `warning:${andMore(rest, "--json lists all")}`];
}
