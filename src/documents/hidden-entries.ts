import type { Draft, EntryHead } from "../workspace/draft.ts";
import { byCodeUnit } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Hidden } from "../workspace/problem-catalogue.ts";
import type { ProjectLocales, Publishing } from "../workspace/records.ts";

/** Which entries documents show, by a reading of the clock. */
export interface View {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** A2: whether it is that of the preview, which shows hidden entries too. */
  readonly showsHidden: boolean;
}

/** The entries that are not published at one time. */
export interface HiddenEntries {
  /** Those that no project publishes. */
  readonly byId: ReadonlyMap<string, Hidden>;
  /** A7: of others, the locales of the projects in which they are drafts. */
  readonly inLocales: ReadonlyMap<string, ReadonlySet<string>>;
  readonly span: Span;
}

/** A1, A7: why an entry is hidden in projects with this locale; undefined locale: in all. */
export function hiddenIn(
  { byId, inLocales }: HiddenEntries,
  id: string,
  locale?: string,
): Hidden | undefined {
  const why = byId.get(id);
  if (why !== undefined || locale === undefined) return why;
  return inLocales.get(id)?.has(locale) ? "draft" : undefined;
}

/** A5: the readings of the clock that hide the same entries: from `from` on, before `until`. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

export const ALWAYS: Span = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** A1, A4, A7: the entries of a draft that are hidden at this time. */
export function hiddenEntries({ entries, projects }: Draft, at: number): HiddenEntries {
  const byId = new Map<string, Hidden>();
  const inLocales = new Map<string, ReadonlySet<string>>();
  const own = new Set(projects.flatMap(({ locale = [] }) => locale));
  let { from, until } = ALWAYS;
  for (const { id, publishing } of entries.values()) {
    if (publishing === undefined) continue;
    const isDraft = isDraftIn(projects, publishing);
    const why = isDraft ? "draft" : hiddenByTime(publishing, at);
    const locales = new Set([...draftLocales(publishing)].filter((locale) => own.has(locale)));
    if (why !== undefined) byId.set(id, why);
    else if (locales.size > 0) inLocales.set(id, locales);
    for (const time of isDraft ? [] : timesOf(publishing)) {
      if (time <= at) from = Math.max(from, time);
      else until = Math.min(until, time);
    }
  }
  return { byId, inLocales, span: { from, until } };
}

const NO_LOCALES: ReadonlySet<string> = new Set();

/** A7: the locales in which an entry is a draft; none where all of it is one, or nothing. */
export function draftLocales({ draft }: Publishing): ReadonlySet<string> {
  if (typeof draft !== "object") return NO_LOCALES;
  return new Set(Object.entries(draft).flatMap(([locale, is]) => (is ? locale : [])));
}

/** A7a: the locales whose values of an entry are served in a language: not those of drafts in others. */
export function shownLanguage(publishing: Publishing | undefined, language: Language): Language {
  if (typeof publishing?.draft !== "object") return language;
  const drafts = draftLocales(publishing);
  return drafts.has(language[0] ?? "") ? language : language.filter((one) => !drafts.has(one));
}

/** Whether an entry is a draft in all of these projects. */
function isDraftIn(projects: readonly ProjectLocales[], publishing: Publishing): boolean {
  if (typeof publishing.draft !== "object") return publishing.draft === true;
  const drafts = draftLocales(publishing);
  return projects.length > 0 && projects.every(({ locale = "" }) => drafts.has(locale));
}

/** Why an entry is hidden at this time; undefined: it is published. */
function hiddenByTime({ publishAt, unpublishAt }: Publishing, at: number): Hidden | undefined {
  if (publishAt !== undefined && Date.parse(publishAt) > at) return "publishAt";
  return unpublishAt !== undefined && Date.parse(unpublishAt) <= at ? "unpublishAt" : undefined;
}

/** The times at which it may come or go. */
function timesOf({ publishAt, unpublishAt }: Publishing): number[] {
  const times = [publishAt, unpublishAt];
  return times.flatMap((time) => (time === undefined ? [] : Date.parse(time)));
}

/** The readings that are in both. */
export function common(a: Span, b: Span): Span {
  return { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) };
}

export function isWithin({ from, until }: Span, at: number): boolean {
  return from <= at && at < until;
}

/** How many entries are not published, by reason; `inLocales`: drafts in some locales only (A7). */
export type LeftOut = Readonly<Record<Hidden | "inLocales", number>>;

export function leftOutOf({ byId, inLocales }: HiddenEntries): LeftOut {
  const counts = { draft: 0, publishAt: 0, unpublishAt: 0, inLocales: inLocales.size };
  for (const why of byId.values()) counts[why] += 1;
  return counts;
}

/** A6: a time at which an entry is published or no longer, or from which on lists may differ. */
export interface DueEntry {
  readonly id: string;
  /** `list`: a date of it that conditions compare with the clock (Q5). */
  readonly change: "publish" | "unpublish" | "list";
  /** RFC 3339; of `publish` and `unpublish` as the entry has it. */
  readonly at: string;
  /** Whether it has come. */
  readonly isDue: boolean;
}

/**
 * A6: what falls due after `since`, the earliest first. Nothing falls due of a draft entry.
 *
 * @param since a reading of the clock, in milliseconds since 1970, as is `now`
 * @param turnsOf the readings from which on the date of an entry that is compared with them has passed
 */
export function dueEntries(
  { entries, projects }: Draft,
  since: number,
  now: number,
  turnsOf: (head: EntryHead) => readonly number[],
): DueEntry[] {
  const found: { time: number; due: DueEntry }[] = [];
  for (const head of entries.values()) {
    const { id, publishing } = head;
    if (publishing !== undefined && isDraftIn(projects, publishing)) continue;
    const times = [
      ...(["publish", "unpublish"] as const).map((change) => ({
        change,
        at: publishing?.[`${change}At`],
      })),
      ...turnsOf(head).map((time) => ({
        change: "list" as const,
        at: new Date(time).toISOString(),
      })),
    ];
    for (const { change, at } of times) {
      const time = at === undefined ? Number.NaN : Date.parse(at);
      if (at !== undefined && time > since)
        found.push({ time, due: { id, change, at, isDue: time <= now } });
    }
  }
  // Stable: an entry's publishing comes before its end.
  found.sort((a, b) => a.time - b.time || byCodeUnit(a.due.id, b.due.id));
  return found.map(({ due }) => due);
}
