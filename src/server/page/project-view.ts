import { projectProblems } from "../../documents/project-config.ts";
import { withSuggestedIds } from "../../documents/suggested-ids.ts";
import { RecordRenderer } from "../../fields/record-renderer.ts";
import { type Language, languageOf } from "../../workspace/language.ts";
import { type DescribedProblem, describedProblem } from "../../workspace/problem-messages.ts";
import type { Project } from "../../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import { type PointerTarget, pointerTarget } from "./entry-summary.ts";
import { type FieldView, fieldViews, type ViewContext } from "./field-views.ts";
import type { LanguageView } from "./page-languages.ts";

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
  /** B1: null where no value differs by language. */
  readonly language: LanguageView | null;
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
  const language = languageOf(project);
  const renderer = new RecordRenderer(
    state.rendering.lookup,
    { kind: "project", id: projectId },
    language,
    ["fields"],
  );
  const stored = project.fields ?? {};
  const data = renderer.data(definitions, stored);
  const context = {
    ...{ state, renderer, htmlUrl, languages: new Map([[0, language]]) },
    ...{ isOneLanguage: true, titles: language },
  };
  const problems = projectProblems(state.rendering, project);
  return {
    id: project.id,
    name: project.name,
    language: shownLanguage(state, projectId),
    fields: fieldViews(definitions, stored, data, ["fields"], context),
    steps: project.steps.map((step) => stepView(state, step, language)),
    experiences: experienceLines(project),
    problems: withSuggestedIds(problems, state.rendering).map(describedProblem),
  };
}

/** The language of a project; null where no value differs by language. */
export function shownLanguage({ languages }: DraftState, projectId: string): LanguageView | null {
  return (languages.isUsed && languages.ofProject(projectId)?.view) || null;
}

export function stepView(
  state: DraftState,
  step: Project["steps"][number],
  language: Language,
): StepView {
  const { id, key, name, layoutName, layoutContentId } = step;
  const entry =
    layoutContentId === undefined ? null : pointerTarget(state, layoutContentId, language);
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
