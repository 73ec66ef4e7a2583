import type { Draft } from "../workspace/draft.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { Hidden } from "../workspace/problem.ts";
import type { Publishing } from "../workspace/records.ts";

/** Which entries documents show, by a reading of the clock. */
export interface View {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** A2: whether it is that of the preview, which shows hidden entries too. */
  readonly showsHidden: boolean;
}

/** The entries that are not published at one time. */
export interface HiddenEntries {
  readonly byId: ReadonlyMap<string, Hidden>;
  readonly span: Span;
}

/** A5: the readings of the clock that hide the same entries: from `from` on, before `until`. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

export const ALWAYS: Span = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** A1, A4: the entries of a draft that are hidden at this time. */
export function hiddenEntries({ entries }: Draft, at: number): HiddenEntries {
  const byId = new Map<string, Hidden>();
  let { from, until } = ALWAYS;
  for (const { id, publishing } of entries.values()) {
    if (publishing === undefined) continue;
    const why = hiddenBy(publishing, at);
    if (why !== undefined) byId.set(id, why);
    for (const time of timesOf(publishing)) {
      if (time <= at) from = Math.max(from, time);
      else until = Math.min(until, time);
    }
  }
  return { byId, span: { from, until } };
}

/** Why an entry is hidden at this time; undefined: it is published. */
function hiddenBy({ draft, publishAt, unpublishAt }: Publishing, at: number): Hidden | undefined {
  if (draft) return "draft";
  if (publishAt !== undefined && Date.parse(publishAt) > at) return "publishAt";
  return unpublishAt !== undefined && Date.parse(unpublishAt) <= at ? "unpublishAt" : undefined;
}

/** The times at which it may come or go; none of a draft entry. */
function timesOf({ draft, publishAt, unpublishAt }: Publishing): number[] {
  const times = draft ? [] : [publishAt, unpublishAt];
  return times.flatMap((time) => (time === undefined ? [] : Date.parse(time)));
}

export function isWithin({ from, until }: Span, at: number): boolean {
  return from <= at && at < until;
}

/** How many entries are not published, by reason. */
export type LeftOut = Readonly<Record<Hidden, number>>;

export function leftOutOf(hidden: ReadonlyMap<unknown, Hidden>): LeftOut {
  const counts = { draft: 0, publishAt: 0, unpublishAt: 0 };
  for (const why of hidden.values()) counts[why] += 1;
  return counts;
}

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
 * A6: what falls due after `since`, the earliest first. Nothing falls due of a draft entry.
 *
 * @param since a reading of the clock, in milliseconds since 1970, as is `now`
 */
export function dueEntries({ entries }: Draft, since: number, now: number): DueEntry[] {
  const found: { time: number; due: DueEntry }[] = [];
  for (const { id, publishing } of entries.values()) {
    if (publishing === undefined || publishing.draft) continue;
    for (const change of ["publish", "unpublish"] as const) {
      const at = publishing[`${change}At`];
      const time = at === undefined ? Number.NaN : Date.parse(at);
      if (at !== undefined && time > since)
        found.push({ time, due: { id, change, at, isDue: time <= now } });
    }
  }
  // Stable: an entry's publishing comes before its end.
  found.sort((a, b) => a.time - b.time || byCodeUnit(a.due.id, b.due.id));
  return found.map(({ due }) => due);
}
