import { renderData } from "../documents/entry.ts";
import { acrossLanguages } from "../documents/language-problems.ts";
import { asLine, titleBy, titleFields, titleValues } from "../fields/entry-title.ts";
import type { Pointer, Renderer } from "../fields/renderer.ts";
import { entryOf, withData } from "../workspace/draft.ts";
import { type JsonObject, ownMember } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import { inProblemOrder, type Problem } from "../workspace/problem.ts";
import type { Entry, Model } from "../workspace/records.ts";
import type { DraftState, PageLanguage, PublishingView } from "./draft-state.ts";
import { type FileView, pictureOf } from "./file-view.ts";

export interface EntrySummary extends PublishingView {
  readonly id: string;
  /** Null when its model was deleted. */
  readonly modelKey: string | null;
  readonly modelName: string | null;
  readonly title: string;
}

/** The target of a pointer, whether or not it resolves. */
export interface PointerTarget extends EntrySummary {
  readonly state: "found" | "deleted" | "other-workspace";
  readonly picture?: FileView;
}

export interface EntryDetails {
  readonly entry: Entry;
  readonly data: JsonObject;
  readonly renderer: Renderer;
  readonly pointers: readonly Pointer[];
  readonly problems: readonly Problem[];
}

/**
 * The entry as rendered; undefined when the draft does not have it.
 *
 * @param only the language in which it is rendered; default: the problems are those of all languages (H20a).
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
  const render = (language: number) => {
    const rendered = renderData(rendering.lookup, head, entry.data, language);
    const problems = rendering.problemsIn(id, language, rendered.renderer.problems);
    return { ...rendered, problems };
  };
  const shown = only ? [only] : languages.ofModel(entry.modelId);
  const all = shown.map(({ language }) => render(rendering.languageNumber(language)));
  // A7: one that is the same in all languages is a draft in some of them at most.
  const same = rendering.lookup.languages.findIndex((_, number) => !rendering.isHidden(id, number));
  const [first = render(Math.max(0, same)), ...others] = all;
  const { data, renderer } = first;
  const { pointers } = renderer;
  const found = acrossLanguages([first, ...others].map((one) => one.problems));
  const problems = others.length === 0 ? found : inProblemOrder(found);
  return { entry, data, renderer, pointers, problems };
}

/** @param language whose title is preferred */
export function summaryOf(state: DraftState, entry: Entry, language?: Language): EntrySummary {
  const model = state.models.get(entry.modelId);
  const { id } = entry;
  const title = titleOf(entry, model, state.languages.titles(language));
  const { key: modelKey = null, name: modelName = modelKey } = model ?? {};
  return { id, modelKey, modelName, title, ...state.publishingOf(entry) };
}

/**
 * The target of a pointer; an unresolved one has the reason that `svc check` reports (P3).
 *
 * @param language whose title is preferred
 */
export function pointerTarget(state: DraftState, id: string, language?: Language): PointerTarget {
  const entry = entryOf(state.draft, id);
  if (entry !== undefined) {
    const picture = pictureOf(state, entry, language);
    return { ...summaryOf(state, entry, language), state: "found", ...(picture && { picture }) };
  }
  const missing = state.draft.isForeignEntry(id) ? "other-workspace" : "deleted";
  const isShown = { hidden: null, publishAt: null, unpublishAt: null };
  return { id, modelKey: null, modelName: null, title: id, ...isShown, state: missing };
}

/** W6c: what an entry is called, of a localized field (W6a) in the first of `languages` that has a text, else in any. */
export function titleOf(
  { id, data }: Entry,
  model: Model | undefined,
  languages: readonly Language[],
): string {
  const title = titleBy(titleFields(model?.fields ?? []), (field) =>
    titleValues(field, ownMember(data, field.key), languages),
  );
  return title === undefined ? id : asLine(title);
}
