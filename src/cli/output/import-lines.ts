import type { FormatReport } from "../../folder/format.ts";
import { counted } from "./counted.ts";
import { printable } from "./printable.ts";

/** How many warnings are listed. */
const MAX_WARNINGS = 10;

/** What an import from another system left out, changed or warns about, as lines of text. */
export function importLines(report: FormatReport): string[] {
  const { leftOut, notCarriedOver, relaxed, roots, experiences, warnings } = report;
  const { drafts, unpublishedEdits } = report;
  const carried = Object.entries(notCarriedOver).map(([name, times]) => `${name} (${times})`);
  return [
    ...limited(warnings.map((text) => `warning: ${text}`)),
    ...(unpublishedEdits.length > 0 ? [editsLine(unpublishedEdits)] : []),
    ...(drafts > 0
      ? [
          `drafts: ${counted(drafts, "entry has", "entries have")} draft: true, and publishing leaves ${drafts === 1 ? "it" : "them"} out (--drafts imports as published)`,
        ]
      : []),
    ...Object.entries(leftOut).map(([what, count]) => `left out: ${what} (${count})`),
    ...(carried.length > 0 ? [`validations not carried over: ${carried.join(", ")}`] : []),
    roots.length > 0
      ? `experiences: the entries of ${roots.join(", ")} (--roots names others)`
      : "experiences: what no entry references, since no content type has an address; --roots names the content types of pages",
    ...some(experiences.added, (entries, first) =>
      roots.length > 0
        ? `experiences: ${entries} more that these do not lead to within 5 references, e.g. ${first}`
        : undefined,
    ),
    ...some(
      experiences.kept,
      (_, first) =>
        `warning: ${counted(experiences.kept.length, "experience")} kept that the export has no root for, e.g. ${first}: --remove-experiences removes such`,
    ),
    ...some(
      experiences.removed,
      (_, first) => `removed: ${counted(experiences.removed.length, "experience")}, e.g. ${first}`,
    ),
    ...relaxed.map(
      ({ model, field, constraint, now, with: lost = [], entries, example }) =>
        `relaxed: ${model}.${field}: ${[constraint, ...lost].join(", ")}${now === undefined ? "" : `, now ${now}`} (violated by ${counted(entries, "entry", "entries")}, e.g. ${example})`,
    ),
  ].map(printable);
}

/** X21: names the records, as many as are listed of warnings. */
function editsLine(edits: FormatReport["unpublishedEdits"]): string {
  const names = edits.slice(0, MAX_WARNINGS).map(({ kind, id }) => `${kind} ${id}`);
  const rest = edits.length - names.length;
  const more = rest > 0 ? ` and ${rest} more (--json and --report list all)` : "";
  const records = counted(edits.length, "published record comes", "published records come");
  return `warning: ${records} with edits that were never published, as an export has no other state (--strict refuses such): ${names.join(", ")}${more}`;
}

/** The line about ids, if there are any. */
function some(
  ids: readonly string[],
  line: (entries: string, first: string) => string | undefined,
): string[] {
  const [first] = ids;
  if (first === undefined) return [];
  const text = line(counted(ids.length, "entry", "entries"), first);
  return text === undefined ? [] : [text];
}

function limited(lines: readonly string[]): string[] {
  const rest = lines.length - MAX_WARNINGS;
  if (rest <= 1) return [...lines];
  return [...lines.slice(0, MAX_WARNINGS), `warning: and ${rest} more (--json lists all)`];
}
