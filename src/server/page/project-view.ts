import { projectProblems } from "../../documents/project-config.ts";
import { withSuggestedIds } from "../../documents/suggested-ids.ts";
import { RecordServing } from "../../fields/record-serving.ts";
import { languageOf } from "../../workspace/language.ts";
import { type DescribedProblem, describedProblem } from "../../workspace/problem-messages.ts";
import type { Project } from "../../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import { type PointerTarget, pointerTarget } from "./entry-summary.ts";
import { type FieldView, fieldViews, type ViewContext } from "./field-views.ts";

export interface StepView {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly layoutName: string;
  /** The content of its layout; null when it has none. */
  readonly entry: PointerTarget | null;
}

export interface ExperienceLine {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** The names of its steps in order. */
  readonly steps: readonly string[];
}

export interface ProjectView {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly FieldView[];
  readonly steps: readonly StepView[];
  readonly experiences: readonly ExperienceLine[];
  /** Of its config document. */
  readonly problems: readonly DescribedProblem[];
}

export function projectView(
  state: DraftState,
  projectId: string,
  htmlUrl: ViewContext["htmlUrl"],
): ProjectView | undefined {
  const project = state.draft.projects.find(({ id }) => id === projectId);
  if (project === undefined) return undefined;
  const definitions = state.draft.workspace.fields ?? [];
  const serving = new RecordServing(
    state.rendering.lookup,
    { kind: "project", id: projectId },
    languageOf(project),
    ["fields"],
  );
  const stored = project.fields ?? {};
  const data = serving.data(definitions, stored);
  const context = { state, serving, htmlUrl };
  const problems = projectProblems(state.rendering, project);
  return {
    id: project.id,
    name: project.name,
    fields: fieldViews(definitions, stored, data, ["fields"], context),
    steps: project.steps.map((step) => stepView(state, step)),
    experiences: experienceLines(project),
    problems: withSuggestedIds(problems, state.rendering).map(describedProblem),
  };
}

export function stepView(state: DraftState, step: Project["steps"][number]): StepView {
  const { id, key, name, layoutName, layoutContentId } = step;
  const entry = layoutContentId === undefined ? null : pointerTarget(state, layoutContentId);
  return { id, key, name, layoutName, entry };
}

/** @param most the number of experiences to return, from the first on */
export function experienceLines(
  { steps, experiences }: Project,
  most = Number.POSITIVE_INFINITY,
): ExperienceLine[] {
  const names = new Map(steps.map(({ id, name }) => [id, name]));
  return experiences.slice(0, most).map(({ id, key, name, stepIds }) => ({
    id,
    key,
    name,
    steps: stepIds.map((stepId) => names.get(stepId) ?? stepId),
  }));
}
