import { turnsOfEntries } from "../../documents/clock-span.ts";
import { type DueEntry, dueEntries } from "../../documents/hidden-entries.ts";
import type { OlderValues } from "../../documents/language-stats.ts";
import { hasLocalized } from "../../fields/localized.ts";
import { type DraftSource, publishedRendering } from "../../publish/draft-source.ts";
import { type DocumentStats, type DraftStats, draftStats } from "../../stats/draft-stats.ts";
import type { Draft } from "../../workspace/draft.ts";
import { grouped, listed, sizeText } from "../../workspace/listed.ts";
import { weightText } from "../../workspace/problem-catalogue.ts";
import { styled } from "../output/print.ts";
import { counted, countsText, leftOutText } from "../output/words.ts";
import type { Due } from "../results.ts";
import type { Run } from "../table/table.ts";
import { type HowRendered, withDraft } from "../with-draft.ts";

export const stats: Run<"stats"> = async (output, options) => {
  const { folder } = options;
  if (options.due) {
    const found = await withDraft(output, options, folder, dueOf);
    output.result(found, () => dueLines(found.workspaceId, found.due));
    return;
  }
  const { workspaceId, stats } = await withDraft(output, options, folder, async (source, how) => {
    const isFolder = folder !== undefined && options.storeFrom === "default";
    const older = isFolder
      ? await olderIn(
          source.read((draft) => draft),
          folder,
        )
      : undefined;
    if (older?.state === "too-long") output.note(`warning: ${TOO_LONG}`);
    return source.read((draft) => ({
      workspaceId: draft.workspace.id,
      stats: draftStats(publishedRendering(draft, how), { ...how, ...(older && { older }) }),
    }));
  });
  output.result({ workspaceId, ...stats }, () => statsLines(workspaceId, stats, process.stdout));
};

const TOO_LONG =
  "which translations are older than their source is not known, as Git's history of the folder is too long";

/** H72: loaded only where a translation can be older. */
async function olderIn(draft: Draft, folder: string): Promise<OlderValues | undefined> {
  if (!hasLocalized(draft)) return undefined;
  const { OlderTranslations } = await import("../preview/older-translations.ts");
  const older = new OlderTranslations(folder);
  await older.fetch(draft);
  return older;
}

function dueOf(source: DraftSource, { at }: HowRendered): Due {
  const { clock } = source;
  return source.read((draft) => ({
    workspaceId: draft.workspace.id,
    at: new Date(at).toISOString(),
    since: clock,
    due: dueEntries(
      draft,
      clock === null ? at : Date.parse(clock),
      at,
      turnsOfEntries(publishedRendering(draft, { at }).values),
    ),
  }));
}

const LISTED = 10;

const UNUSED: Readonly<Record<keyof DraftStats["unused"], readonly [one: string, many: string]>> = {
  entries: ["entry that no experience shows", "entries that no experience shows"],
  models: ["model without entries", "models without entries"],
  blocks: ["block that nothing contains", "blocks that nothing contains"],
  assets: ["asset that nothing names", "assets that nothing names"],
  features: ["text feature without a variant", "text features without a variant"],
};

export function statsLines(workspaceId: string, stats: DraftStats, stream: NodeJS.WriteStream) {
  const { counts, documents, hubs, unused } = stats;
  const title = (text: string) => ["", styled("bold", text, stream)];
  const group = (text: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [...title(text), ...lines.map((line) => `  ${line}`)];
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
    ...group("Languages", languageLines(stats)),
    ...group(
      "Unused",
      Object.entries(UNUSED).flatMap(([kind, words]) => {
        const ids = unused[kind as keyof typeof UNUSED];
        return ids.length === 0
          ? []
          : `${counted(ids.length, ...words)}: ${listed(ids, LISTED, "--json lists all")}`;
      }),
    ),
  ];
}

/** "de-AT, else de   120 complete   3 by fallback   1 incomplete   4 untranslated   2 older than en" */
function languageLines({ languages, mainLocale }: DraftStats): string[] {
  const names = languages.map(({ locale, fallbackLocales }) =>
    [locale ?? "no locale", ...fallbackLocales].join(", else "),
  );
  const width = Math.max(0, ...names.map(({ length }) => length));
  return languages.map(({ locale, entries, untranslated, older }, index) => {
    const counts = [
      [entries.complete, "complete"],
      [entries.fallback, "by fallback"],
      [entries.missing, "incomplete"],
      [untranslated, "untranslated"],
      ...(older === null || locale === mainLocale ? [] : [[older, `older than ${mainLocale}`]]),
    ] as const;
    const told = counts.map(([count, what]) => `${grouped(Number(count)).padStart(9)} ${what}`);
    return (names[index] ?? "").padEnd(width) + told.join("");
  });
}

function documentLine({ path, bytes, entries, through }: DocumentStats): string {
  const by = through === undefined ? "" : `, ${weightText(through)}`;
  const shows = entries === undefined ? "" : ` (${counted(entries, "entry", "entries")}${by})`;
  return `${sizeText(bytes).padStart(9)}  ${path}${shows}`;
}

/** A6: what falls due, as lines of text. */
export function dueLines(workspaceId: string, due: readonly DueEntry[]): string[] {
  const lines = due.map(
    ({ id, change, at, isDue }) =>
      `${at}  ${change.padEnd(9)}  ${id}${isDue ? "  due: publish the draft" : ""}`,
  );
  return [...lines, `"${workspaceId}": ${counted(due.length, "change")} by time`];
}
