import type { DueEntry } from "../../documents/hidden-entries.ts";
import type { DocumentStats, DraftStats } from "../../stats/draft-stats.ts";
import type { LanguageStats } from "../../stats/language-stats.ts";
import { counted, countsText, grouped, leftOutText, printable, sizeText, styled } from "./words.ts";

/** How many ids of unused records are listed. */
const LISTED = 10;

const UNUSED: Readonly<Record<keyof DraftStats["unused"], readonly [one: string, many: string]>> = {
  entries: ["entry that no experience shows", "entries that no experience shows"],
  models: ["model without entries", "models without entries"],
  blocks: ["block that nothing contains", "blocks that nothing contains"],
  assets: ["asset that nothing names", "assets that nothing names"],
  features: ["text feature without a variant", "text features without a variant"],
};

/** The statistics of a draft as lines of text. */
export function statsLines(workspaceId: string, stats: DraftStats, stream: NodeJS.WriteStream) {
  const { counts, documents, hubs, languages, unused } = stats;
  const title = (text: string) => ["", styled("bold", text, stream)];
  const group = (text: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [...title(text), ...lines.map((line) => `  ${printable(line)}`)];
  const kinds = (["content", "config", "schema"] as const).map(
    (kind) =>
      `${kind.padEnd(8)} ${grouped(documents[kind].count).padStart(9)}  ${sizeText(documents[kind].bytes).padStart(9)}`,
  );
  const { experiences, ...records } = counts;
  return [
    `"${workspaceId}": ${countsText(records)}, ${counted(experiences, "experience")}`,
    ...group(`${counted(documents.count, "document")}, ${sizeText(documents.bytes)}`, kinds),
    ...leftOutText(stats.leftOut),
    ...group("Largest documents", documents.largest.map(documentLine)),
    ...group(
      "Entries that most others point at",
      hubs.map(
        ({ id, contentModelKey, pointers }) =>
          `${grouped(pointers).padStart(9)}  ${id} (${contentModelKey ?? "no model"})`,
      ),
    ),
    ...group("Languages", languageLines(languages)),
    ...group(
      "Unused",
      Object.entries(UNUSED).flatMap(([kind, words]) => {
        const ids = unused[kind as keyof typeof UNUSED];
        return ids.length === 0 ? [] : `${counted(ids.length, ...words)}: ${listed(ids)}`;
      }),
    ),
  ];
}

/** "de-AT, else de   120 complete   3 by fallback   1 with missing values" */
function languageLines(languages: readonly LanguageStats[]): string[] {
  const names = languages.map(({ locale, fallbackLocales }) =>
    [locale ?? "no locale", ...fallbackLocales].join(", else "),
  );
  const width = Math.max(0, ...names.map(({ length }) => length));
  return languages.map(({ entries }, index) => {
    const count = (number: number) => grouped(number).padStart(9);
    return `${(names[index] ?? "").padEnd(width)}${count(entries.complete)} complete${count(entries.fallback)} by fallback${count(entries.missing)} incomplete`;
  });
}

function documentLine({ path, bytes, entries }: DocumentStats): string {
  const shows = entries === undefined ? "" : ` (${counted(entries, "entry", "entries")})`;
  return `${sizeText(bytes).padStart(9)}  ${path}${shows}`;
}

function listed(ids: readonly string[]): string {
  const left = ids.length - LISTED;
  const rest = left > 0 ? ` … and ${grouped(left)} more (--json lists all)` : "";
  return ids.slice(0, LISTED).join(", ") + rest;
}

/** A6: what falls due, as lines of text. */
export function dueLines(workspaceId: string, due: readonly DueEntry[]): string[] {
  const lines = due.map(
    ({ id, change, at, isDue }) =>
      `${at}  ${change.padEnd(9)}  ${printable(id)}${isDue ? "  due: publish the draft" : ""}`,
  );
  return [...lines, `"${workspaceId}": ${counted(due.length, "change")} by time`];
}
