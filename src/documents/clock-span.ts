import { NOW } from "../workspace/conditions.ts";
import type { EntryHead } from "../workspace/draft.ts";
import { ALWAYS, type Span } from "./hidden-entries.ts";
import type { IndexedValues, Search } from "./indexed-values.ts";
import { fitsOf } from "./select.ts";

/** A5, Q5: the readings of the clock in which all dates are on the same side of it. */
export function clockSpan(values: IndexedValues): Span {
  const { lookup, searches } = values;
  let { from, until } = ALWAYS;
  for (const search of searches) {
    const turns = turnsOf(values, search, true);
    if (turns === undefined) continue;
    for (const head of search.models.flatMap((model) => values.headsOf(model.id))) {
      for (const time of turns(head)) {
        if (time <= lookup.view.at) from = Math.max(from, time);
        else until = Math.min(until, time);
      }
    }
  }
  return { from, until };
}

/** A6, Q5: the readings from which on an entry, hidden or not, fits some search or no longer fits, each once. */
export function turnsOfEntries(values: IndexedValues): (head: EntryHead) => readonly number[] {
  const all = values.searches.map((search) => {
    const turns = turnsOf(values, search, false);
    const models = new Set(turns && search.models.map(({ id }) => id));
    return (head: EntryHead) => (models.has(head.modelId) ? (turns?.(head) ?? []) : []);
  });
  return (head) => [...new Set(all.flatMap((turns) => turns(head)))];
}

/**
 * Q5: the readings of the clock, in milliseconds since 1970, from which on an entry fits or no longer fits in
 * some language, if it fits all other conditions; undefined: no condition depends on the clock.
 */
function turnsOf(
  values: IndexedValues,
  { where }: Search,
  onlyShown: boolean,
): ((head: EntryHead) => readonly number[]) | undefined {
  const { lookup } = values;
  const clocked = Object.entries(where).flatMap(([key, condition]) => {
    if (typeof condition !== "object") return [];
    // What is before the clock from its next millisecond on; what is after it until its own.
    const later = [condition.before === NOW ? 1 : [], condition.after === NOW ? 0 : []].flat();
    return later.length === 0 ? [] : [{ key, later }];
  });
  if (clocked.length === 0) return undefined;
  const fits = fitsOf(values, where, undefined);
  const languages = [...new Set([0, ...lookup.languages.keys()])];
  const inLanguage = (head: EntryHead, language: number) => {
    const isHidden = lookup.hiddenBy(head.id, lookup.localeOf(language)) !== undefined;
    if ((onlyShown && isHidden) || !fits(head, language)) return [];
    return clocked.flatMap(({ key, later }) =>
      values.instantsOf(head, key, language).flatMap((time) => later.map((one) => time + one)),
    );
  };
  return (head) => languages.flatMap((language) => inLanguage(head, language));
}
