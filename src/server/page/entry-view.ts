import { type DescribedProblem, describedProblem } from "../../workspace/problem-messages.ts";
import type { DraftState } from "./draft-state.ts";
import { type EntrySummary, serveEntry, summaryOf } from "./entry-summary.ts";
import { type FieldView, fieldViews, type ViewContext } from "./field-views.ts";

/** One entry as a reader would meet it. */
export interface EntryView extends EntrySummary {
  readonly fields: readonly FieldView[];
  /** What is wrong with the entry itself; what depends on an experience is told there. */
  readonly problems: readonly DescribedProblem[];
}

export function entryView(
  state: DraftState,
  id: string,
  htmlUrl: ViewContext["htmlUrl"],
): EntryView | undefined {
  const served = serveEntry(state, id);
  if (served === undefined) return undefined;
  const { entry, data, serving, problems } = served;
  const model = state.models.get(entry.modelId);
  const context = { state, serving, htmlUrl };
  return {
    ...summaryOf(state, entry),
    fields: fieldViews(model?.fields ?? [], entry.data, data, [], context),
    problems: problems.map(describedProblem),
  };
}
