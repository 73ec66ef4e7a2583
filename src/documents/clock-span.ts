import type { DraftLookup } from "./entry.ts";
import { ALWAYS, type Span, type View } from "./hidden-entries.ts";
import type { IndexedValues } from "./indexed-values.ts";
import { type Search, searchKey } from "./searches.ts";
import { turnsOf } from "./select.ts";

/** What is read of a rendering. */
interface Searched {
  readonly searches: readonly Search[];
  readonly values: IndexedValues;
  readonly lookup: DraftLookup;
  readonly view: View;
}

type Turns = (id: string) => readonly number[];

/** The searches that compare dates with the clock, each with the readings from which on an entry fits or no longer fits. */
function clockedSearches(
  rendering: Searched,
  find = (id: string, locale?: string) => rendering.lookup.find(id, locale),
): { readonly search: Search; readonly turns: Turns }[] {
  const { searches, values, lookup } = rendering;
  const languages = [...new Set([0, ...lookup.languages.keys()])];
  return searches.flatMap((search) => {
    const turns = turnsOf(values, search.where);
    if (turns === undefined) return [];
    const inLanguage = (id: string, language: number) => {
      const head = find(id, lookup.localeOf(language));
      const isSearched = search.models.some((model) => model.id === head?.modelId);
      return head !== undefined && isSearched ? turns(head, language) : [];
    };
    return { search, turns: (id) => languages.flatMap((language) => inLanguage(id, language)) };
  });
}

/** A5, Q5: the readings of the clock in which all dates are on the same side of it. */
export function clockSpan(rendering: Searched): Span {
  let { from, until } = ALWAYS;
  const { values, view } = rendering;
  for (const { search, turns } of clockedSearches(rendering)) {
    for (const id of search.models.flatMap((model) => values.idsOf(model.id))) {
      for (const time of turns(id)) {
        if (time <= view.at) from = Math.max(from, time);
        else until = Math.min(until, time);
      }
    }
  }
  return { from, until };
}

/** Whether these entries, which may have changed, have another date that is compared with the clock. */
export function changesClock(before: Searched, now: Searched, touched: Iterable<string>): boolean {
  const [was, is] = [clockedSearches(before), clockedSearches(now)];
  const keysOf = (all: typeof was) => all.map(({ search }) => searchKey(search)).join("\n");
  if (keysOf(was) !== keysOf(is)) return true;
  if (was.length === 0) return false;
  const turnsIn = (all: typeof was, id: string) =>
    JSON.stringify(all.map(({ turns }) => turns(id)));
  for (const id of touched) if (turnsIn(was, id) !== turnsIn(is, id)) return true;
  return false;
}

/** A6, Q5: the readings from which on an entry, hidden or not, fits some search or no longer fits, each once. */
export function turnsOfEntries(rendering: Searched): (id: string) => readonly number[] {
  const all = clockedSearches(rendering, (id) => rendering.lookup.draft.entries.get(id));
  return (id) => [...new Set(all.flatMap(({ turns }) => turns(id)))];
}
