import type { LeftOut } from "../../documents/hidden-entries.ts";
import type { FileCounts } from "../../publish/apply-plan.ts";
import { type Hold, holdText } from "../../workspace/hold.ts";
import { grouped } from "../../workspace/listed.ts";
import { printable } from "../../workspace/printable.ts";
import { type Counts, KINDS, singular } from "../../workspace/records.ts";

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** "1 entry", "2 entries". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** "2 models, 1 block, …" */
export function countsText(counts: Counts): string {
  return KINDS.map((kind) => counted(counts[kind], singular(kind), kind)).join(", ");
}

/** "2 drafts, 1 entry not due yet left out"; nothing when every entry is published. */
export function leftOutText({ draft, publishAt, unpublishAt, inLocales }: LeftOut): string[] {
  const kinds = [
    [draft, "draft entry", "draft entries"] as const,
    [publishAt, "entry not due yet", "entries not due yet"] as const,
    [unpublishAt, "entry that is over", "entries that are over"] as const,
    [inLocales, "draft entry of some locales", "draft entries of some locales"] as const,
  ].flatMap(([count, one, many]) => (count > 0 ? counted(count, one, many) : []));
  return kinds.length === 0 ? [] : [`left out: ${kinds.join(", ")}`];
}

/** "3 files written, 0 unchanged, 0 removed"; of a dry run "3 files to write, …". */
export function filesText(
  { written, unchanged, removed }: FileCounts,
  { dryRun = false } = {},
): string {
  const [writes, removes] = dryRun ? ["to write", "to remove"] : ["written", "removed"];
  return `${counted(written, "file")} ${writes}, ${unchanged} unchanged, ${removed} ${removes}`;
}

/** What became of a hold. */
export function resumedText(workspaceId: string, ended: Hold | null): string {
  if (ended === null) return `"${workspaceId}" is not held`;
  return printable(`"${workspaceId}" is not held any more; it was ${holdText(ended)}`);
}
