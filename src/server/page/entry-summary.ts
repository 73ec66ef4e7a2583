import { renderData } from "../../documents/entry.ts";
import { asWarning } from "../../documents/rendering.ts";
import type { Pointer, Renderer } from "../../fields/renderer.ts";
import { entryOf, withData } from "../../workspace/draft.ts";
import type { JsonObject } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import { type Hidden, inProblemOrder, type Problem } from "../../workspace/problem.ts";
import type { Entry } from "../../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import { titleOf } from "./entry-title.ts";
import type { PageLanguage } from "./page-languages.ts";

/** An entry as shown in a list. */
export interface EntrySummary {
  readonly id: string;
  /** Null when its model was deleted. */
  readonly modelKey: string | null;
  readonly title: string;
  /** A1: why it is not published; null: nothing prevents that. */
  readonly hidden: Hidden | null;
}

/** The target of a pointer, whether or not it resolves. */
export interface PointerTarget extends EntrySummary {
  readonly state: "found" | "deleted" | "other-workspace";
}

/** An entry with its served data, its pointers and its problems. */
export interface EntryDetails {
  readonly entry: Entry;
  readonly data: JsonObject;
  readonly renderer: Renderer;
  readonly pointers: readonly Pointer[];
  readonly problems: readonly Problem[];
}

/**
 * The entry as served; undefined when the draft does not have it.
 *
 * @param only the language in which it is served; default: the problems are those of all languages.
 */
export function entryDetails(
  state: DraftState,
  id: string,
  only?: PageLanguage,
): EntryDetails | undefined {
  const { rendering, languages, draft } = state;
  const head = draft.entries.get(id);
  if (head === undefined) return undefined;
  const entry = withData(draft, head);
  const render = (language: number) => renderData(rendering.lookup, head, entry.data, language);
  const [first, ...others] = (only ? [only] : languages.ofModel(entry.modelId)).map(
    ({ language }) => render(rendering.languageNumber(language)),
  );
  const { data, renderer } = first ?? render(0);
  const { pointers } = renderer;
  const all = [renderer, ...others.map((other) => other.renderer)].flatMap((one) => one.problems);
  const own = others.length === 0 ? all : inProblemOrder(all);
  const problems = state.hiddenBy(id) === null ? own : own.map(asWarning);
  return { entry, data, renderer, pointers, problems };
}

/** @param language whose title is preferred */
export function summaryOf(state: DraftState, entry: Entry, language?: Language): EntrySummary {
  const model = state.models.get(entry.modelId);
  const { id } = entry;
  const title = titleOf(entry, model, state.languages.titles(language));
  return { id, modelKey: model?.key ?? null, title, hidden: state.hiddenBy(id) };
}

/**
 * The target of a pointer; an unresolved one has the reason that `svc check` reports (P3).
 *
 * @param language whose title is preferred
 */
export function pointerTarget(state: DraftState, id: string, language?: Language): PointerTarget {
  const entry = entryOf(state.draft, id);
  if (entry !== undefined) return { ...summaryOf(state, entry, language), state: "found" };
  const missing = state.draft.isForeignEntry(id) ? "other-workspace" : "deleted";
  return { id, modelKey: null, title: id, hidden: null, state: missing };
}
