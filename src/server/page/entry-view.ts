import { withSuggestedIds } from "../../documents/suggested-ids.ts";
import { type DescribedProblem, describedProblem } from "../../workspace/problem-messages.ts";
import type { DraftState } from "./draft-state.ts";
import { type EntrySummary, renderEntry, summaryOf } from "./entry-summary.ts";
import { type FieldView, fieldViews, type ViewContext } from "./field-views.ts";

/** One entry with its fields and values. */
export interface EntryView extends EntrySummary {
  readonly fields: readonly FieldView[];
  /** Of the entry itself; those that depend on an experience are in `ExperienceView`. */
  readonly problems: readonly DescribedProblem[];
}

export function entryView(
  state: DraftState,
  id: string,
  htmlUrl: ViewContext["htmlUrl"],
): EntryView | undefined {
  const served = renderEntry(state, id);
  if (served === undefined) return undefined;
  const { entry, data, serving, problems } = served;
  const model = state.models.get(entry.modelId);
  const context = { state, serving, htmlUrl };
  return {
    ...summaryOf(state, entry),
    fields: fieldViews(model?.fields ?? [], entry.data, data, [], context),
    problems: withSuggestedIds(problems, state.rendering).map(describedProblem),
  };
}
