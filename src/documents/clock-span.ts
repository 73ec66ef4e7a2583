import type { DraftLookup } from "./entry.ts";
import { ALWAYS, type Span, type View } from "./hidden-entries.ts";
import type { IndexedValues } from "./indexed-values.ts";
import type { Search } from "./searches.ts";
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

/**
 * A5, Q5: the readings of the clock in which all dates are on the same side of it.
 *
 * @param earlier that of the same searches when other entries than these were the same: what it has cut stays
 */
export function clockSpan(
  rendering: Searched,
  earlier: Span = ALWAYS,
  touched?: ReadonlySet<string>,
): Span {
  let { from, until } = earlier;
  const { values, view } = rendering;
  for (const { search, turns } of clockedSearches(rendering)) {
    for (const id of touched ?? search.models.flatMap((model) => values.idsOf(model.id))) {
      for (const time of turns(id)) {
        if (time <= view.at) from = Math.max(from, time);
        else until = Math.min(until, time);
      }
    }
  }
  return { from, until };
}

/** A6, Q5: the readings from which on an entry, hidden or not, fits some search or no longer fits, each once. */
export function turnsOfEntries(rendering: Searched): (id: string) => readonly number[] {
  const all = clockedSearches(rendering, (id) => rendering.lookup.draft.entries.get(id));
  return (id) => [...new Set(all.flatMap(({ turns }) => turns(id)))];
}
