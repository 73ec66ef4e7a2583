import type { Draft } from "../workspace/draft.ts";
import { byCodeUnit } from "../workspace/json.ts";

/** A6: a time at which an entry is published, or no longer. */
export interface DueEntry {
  readonly id: string;
  readonly change: "publish" | "unpublish";
  /** As the entry has it: RFC 3339. */
  readonly at: string;
  /** Whether it has come. */
  readonly isDue: boolean;
}

/**
 * A6: what falls due after `since`, the earliest first. Reads only entries that say something about
 * their publishing; nothing falls due of a draft.
 *
 * @param since a reading of the clock, in milliseconds since 1970, as is `now`
 */
export function dueEntries(draft: Draft, since: number, now: number): DueEntry[] {
  const found: { time: number; due: DueEntry }[] = [];
  for (const [id, says] of draft.changes.publishing()) {
    if (says.draft) continue;
    for (const change of ["publish", "unpublish"] as const) {
      const at = says[`${change}At`];
      const time = at === undefined ? Number.NaN : Date.parse(at);
      if (at !== undefined && time > since)
        found.push({ time, due: { id, change, at, isDue: time <= now } });
    }
  }
  found.sort((a, b) => a.time - b.time || byCodeUnit(a.due.id, b.due.id));
  return found.map(({ due }) => due);
}
