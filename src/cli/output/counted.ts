import type { LeftOut } from "../../documents/hidden-entries.ts";
import type { FileCounts } from "../../publish/apply-plan.ts";
import { type Counts, KINDS, singular } from "../../workspace/records.ts";

/** "1 entry", "2 entries". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/**
 * A whole number with its digits in groups of three: "1,000". (The first call of `toLocaleString`
 * loads locale data: 15 ms, half of Node's own start.)
 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** "2 models, 1 block, …" */
export function countsText(counts: Counts): string {
  return KINDS.map((kind) => counted(counts[kind], singular(kind), kind)).join(", ");
}

/** "2 drafts, 1 entry not due yet left out"; nothing when every entry is published. */
export function leftOutText({ draft, publishAt, unpublishAt }: LeftOut): string[] {
  const kinds = [
    ...(draft > 0 ? [counted(draft, "draft entry", "draft entries")] : []),
    ...(publishAt > 0 ? [counted(publishAt, "entry not due yet", "entries not due yet")] : []),
    ...(unpublishAt > 0
      ? [counted(unpublishAt, "entry that is over", "entries that are over")]
      : []),
  ];
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
