import { withSuggestedIds } from "../documents/suggested-ids.ts";
import { isUntranslated } from "../documents/translation.ts";
import type { Language } from "../workspace/language.ts";
import type { Problem } from "../workspace/problem.ts";
import { type ShownProblem, shownProblem } from "./dead-values.ts";
import type { DraftState } from "./draft-state.ts";
import { entryDetails, summaryOf } from "./entry-summary.ts";
import { fieldViews, type ViewContext } from "./field-views.ts";
import { isLeftOut } from "./left-out.ts";

export type EntryView = NonNullable<ReturnType<typeof entryView>>;

/**
 * H20: one entry with its fields and values, and its own problems; those that depend on an experience are in
 * `ExperienceView`.
 *
 * @param projectId in whose language it is shown; empty: in all. Undefined if there is no such.
 */
export function entryView(
  state: DraftState,
  id: string,
  htmlUrl: ViewContext["htmlUrl"],
  projectId = "",
) {
  const only = state.languages.ofProject(projectId);
  const details = entryDetails(state, id, only);
  if (details === undefined || (projectId !== "" && only === undefined)) return undefined;
  const { entry, data, renderer, problems } = details;
  const model = state.models.get(entry.modelId);
  const languages = state.languages.ofModel(entry.modelId);
  const index = only === undefined ? -1 : languages.indexOf(only);
  const isMissing = (language: Language) =>
    isUntranslated(model?.fields ?? [], entry.data, {
      ...{ language, blocks: state.blocks, publishing: entry },
    });
  const shown = languages.map(({ language }, at) => [at, language] as const);
  const context = {
    state,
    renderer,
    htmlUrl,
    isOneLanguage: only !== undefined,
    languages: new Map(only === undefined ? shown : shown.slice(index, index + 1)),
    ...(only && { titles: only.language }),
  };
  return {
    ...summaryOf(state, entry, only?.language),
    // A1, A7: whether it is marked as a draft, or in which locales.
    draft: entry.draft ?? false,
    // B1: those in which it may be rendered differently, in order of the projects.
    languages: languages.map(({ view }) => view),
    // H49: of which the others are translations.
    mainLocale: state.languages.titles()[0]?.[0] ?? null,
    // H73: where only other languages have one of its values.
    missingIn: languages.flatMap(({ language }) =>
      isMissing(language) ? (language[0] ?? []) : [],
    ),
    // The index of the only language whose values are shown; null: those of all.
    only: index < 0 ? null : index,
    fields: fieldViews(model?.fields ?? [], entry.data, data, [], context),
    problems: shownIn(state, problems),
  };
}

/**
 * H27: an entry as it is opened: in the language of a project, with the problems of all languages (H20a); in all
 * languages, where what is looked for is a value that this does not show.
 *
 * @param preferred a project, if there is one of this name; else one of the main language (H49)
 * @param at JSON Pointer to what is looked for; empty: nothing
 */
export function openedEntry(
  state: DraftState,
  id: string,
  htmlUrl: ViewContext["htmlUrl"],
  { preferred, at }: { readonly preferred: string; readonly at: string },
): EntryView | undefined {
  const { languages } = state;
  const [main] = languages.titles();
  const first = languages.all.find(({ language }) => language === main)?.view.projects[0]?.id;
  const project = languages.ofProject(preferred) ? preferred : (first ?? "");
  const view = entryView(state, id, htmlUrl, project);
  if (view === undefined || view.only === null) return view;
  if (at !== "" && isLeftOut(view.fields, at)) return entryView(state, id, htmlUrl);
  const problems = entryDetails(state, id)?.problems ?? [];
  return { ...view, problems: shownIn(state, problems) };
}

function shownIn(state: DraftState, problems: readonly Problem[]): readonly ShownProblem[] {
  return withSuggestedIds(problems, state.rendering).map((one) => shownProblem(state, one));
}
