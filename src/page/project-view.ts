import type { CollectedExperience } from "../documents/collection-pages.ts";
import { projectProblems } from "../documents/project-config.ts";
import { withSuggestedIds } from "../documents/suggested-ids.ts";
import { RecordRenderer } from "../fields/record-renderer.ts";
import type { LiveState } from "../server/live.ts";
import type { PreviewedDrafts } from "../server/previewed-drafts.ts";
import type { Conditions } from "../workspace/conditions.ts";
import { type Language, languageOf } from "../workspace/language.ts";
import { describedProblem } from "../workspace/problem-messages.ts";
import { type AnyCollection, byParts, isByValue, type Project } from "../workspace/records.ts";
import type { DraftState, DraftStates, LanguageView } from "./draft-state.ts";
import { pointerTarget } from "./entry-summary.ts";
import { fieldViews, type ViewContext } from "./field-views.ts";
import { conditionsInWords, nameOf, sortInWords } from "./query-words.ts";
import { projectName } from "./spoken.ts";

/** How many experiences of a project are listed; few, as the overview is requested at every change. */
const LISTED = 12;

export type Overview = ReturnType<typeof overview>;
export type WorkspaceLine = Overview["workspaces"][number];

/** Every workspace with its projects; reads no entry. */
export function overview(
  drafts: PreviewedDrafts,
  states: DraftStates,
  live: { state(): LiveState },
) {
  const workspaces = states.all().map(({ workspace: row, draft, rendering, languages }) => {
    return {
      id: row.id,
      name: draft.workspace.name,
      revision: row.revision,
      // H73: whether an entry may be translated.
      isTranslated: languages.isUsed && languages.all.length > 1,
      counts: {
        models: draft.models.length,
        blocks: draft.blocks.length,
        features: draft.features.length,
        entries: draft.entries.size,
        assets: draft.assets.size,
      },
      projects: rendering.projects.map((project) => ({
        id: project.id,
        name: projectName(project, draft.workspace),
        experienceCount: project.experiences.length,
        // The first few; `ProjectView` has all.
        experiences: experienceLines(project, LISTED),
      })),
    };
  });
  return { ...live.state(), source: drafts.source, workspaces };
}

export type ProjectView = NonNullable<ReturnType<typeof projectView>>;
export type CollectionView = ReturnType<typeof collectionView>;
export type StepView = ReturnType<typeof stepView>;
export type ExperienceLine = ReturnType<typeof experienceLines>[number];

export function projectView(state: DraftState, projectId: string, htmlUrl: ViewContext["htmlUrl"]) {
  const project = state.rendering.projects.find(({ id }) => id === projectId);
  if (project === undefined) return undefined;
  const definitions = state.draft.workspace.fields ?? [];
  const language = languageOf(project);
  const renderer = new RecordRenderer(
    state.rendering.lookup,
    { kind: "project", id: projectId },
    language,
    { base: ["fields"] },
  );
  const stored = project.fields ?? {};
  const data = renderer.data(definitions, stored);
  const context = {
    state,
    renderer,
    htmlUrl,
    languages: new Map([[0, language]]),
    isOneLanguage: true,
    titles: language,
  };
  const problems = projectProblems(state.rendering, project);
  return {
    id: project.id,
    name: projectName(project, state.draft.workspace),
    language: shownLanguage(state, projectId),
    fields: fieldViews(definitions, stored, data, ["fields"], context),
    collections: (project.collections ?? []).map((one, index) =>
      collectionView(state, project, one, index),
    ),
    steps: project.steps.map((step) => stepView(state, step, language)),
    experiences: experienceLines(project),
    problems: withSuggestedIds(problems, state.rendering).map(describedProblem),
  };
}

/** Q10: a collection in words, with how many experiences it makes. */
function collectionView(
  { draft }: DraftState,
  { experiences }: Project,
  one: AnyCollection,
  index: number,
) {
  const { id, where } = one;
  const list = isByValue(one) ? one : one.list;
  const [key, by] = isByValue(one) ? byParts(one.by) : [one.model];
  const model = draft.models.find((one) => one.key === key);
  const models = model === undefined ? [] : [model];
  const own = (experiences as readonly Partial<CollectedExperience>[]).filter(
    (experience) => experience.collection === index,
  );
  const entries = own.filter(({ entry }) => entry !== undefined).length;
  return {
    modelId: model?.id,
    title: `${model?.name ?? key}${conditionsInWords(where as Conditions, models)}`,
    // Q17: the field by whose values it is; undefined: it has an experience of each entry.
    by: by && nameOf(by, model?.fields ?? []),
    pattern: id,
    layoutName: isByValue(one) ? undefined : one.layoutName,
    entries,
    pages: own.length - entries,
    list: list && { size: list.size, sort: sortInWords(list.sort, models) },
  };
}

/** The language of a project; null where no value differs by language. */
export function shownLanguage({ languages }: DraftState, projectId: string): LanguageView | null {
  return (languages.isUsed && languages.ofProject(projectId)?.view) || null;
}

export function stepView(state: DraftState, step: Project["steps"][number], language: Language) {
  const { id, key, name, layoutName, layoutContentId } = step;
  /** The content of its layout; null when it has none. */
  const entry =
    layoutContentId === undefined ? null : pointerTarget(state, layoutContentId, language);
  return { id, key, name, layoutName, entry };
}

/** @param most the number of experiences to return, from the first on */
function experienceLines({ steps, experiences }: Project, most = Number.POSITIVE_INFINITY) {
  const shown = experiences.slice(0, most);
  // Of the steps of 10,000 experiences a map takes longer than the rest of the overview.
  const wanted = new Set(shown.flatMap(({ stepIds }) => stepIds));
  const named = steps.filter(({ id }) => wanted.has(id));
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return shown.map(({ id, key, name, stepIds }) => ({
    id,
    key,
    name,
    steps: stepIds.map((stepId) => names.get(stepId) ?? "a step that does not exist"),
  }));
}
